// The parts of the page that need no browser: visible text, differences, addresses.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { diffLines } from '../../web/lib/diff.js';
import * as json from '../../web/lib/json.js';
import { link, parse } from '../../web/lib/router.js';
import { plain, shorten, size, visible } from '../../web/lib/text.js';
import { expand, variables } from '../../web/lib/uri_template.js';
import { splitCommand } from '../../web/lib/words.js';

test('characters that one cannot see are named', () => {
    assert.equal(plain('a\u202eb'), 'a‹U+202E›b');
    for (const hidden of [
        '\u0000',
        '\u001b',
        '\u007f',
        '\u0085',
        '\u200b',
        '\u200f',
        '\u2028',
        '\u2066',
        '\ufeff',
        '\ud800',
        '\u{e0041}',
        '\u3164',
        '\u00ad',
        '\ufe0e',
    ])
        assert.ok(
            visible(`x${hidden}y`).some((part) => part.hidden),
            JSON.stringify(hidden),
        );
    assert.deepEqual(visible('plain Grüße 日本 😀'), [{ text: 'plain Grüße 日本 😀' }]);
});

test('line breaks stay where lines are wanted, and are named elsewhere', () => {
    assert.deepEqual(visible('a\r\nb\tc', { lines: true }), [{ text: 'a\nb\tc' }]);
    assert.equal(plain('a\nb'), 'a‹⏎›b');
});

test('a difference has every line of both texts', () => {
    const lines = diffLines('a\nb\nc', 'a\nx\nc');
    assert.deepEqual(
        lines.map((one) => one.kind),
        ['same', 'removed', 'added', 'same'],
    );
    const before = diffLines('1\n2\n3\n4', '2\n3\n5')
        .filter((one) => one.kind !== 'added')
        .map((one) => one.text);
    assert.deepEqual(before, ['1', '2', '3', '4']);
    const large = Array.from({ length: 30_000 }, (_, i) => i).join('\n');
    assert.equal(diffLines(large, large.replaceAll('1', 'x')).filter((one) => one.kind !== 'added').length, 30_000);
});

test('addresses of views survive any name', () => {
    for (const name of ['a', 'a/b', 'note://x?y#z', '%', 'ü \u202e', '../..'])
        assert.deepEqual(parse(link('tools', name)), { view: 'tools', argument: name });
    assert.deepEqual(parse('#/tools/%E0%A4%A'), { view: 'tools', argument: '' });
});

test('templates are filled in as RFC 6570 says', () => {
    const values = { a: 'x y', b: '', c: 'p/q' };
    const expected = {
        '{a}': 'x%20y',
        '{+c}': 'p/q',
        '{c}': 'p%2Fq',
        '{?a,b,z}': '?a=x%20y&b=',
        '{#c}': '#p/q',
        '{/a,c}': '/x%20y/p%2Fq',
        '{;b}': ';b',
        '{a:1}': 'x',
        '{z}': '',
    };
    for (const [template, text] of Object.entries(expected)) assert.equal(expand(template, values), text, template);
    assert.deepEqual(variables('note://{folder}/{name*}{?q,folder}'), ['folder', 'name', 'q']);
});

test('a command line keeps what is quoted', () => {
    assert.deepEqual(splitCommand('node "my server.js" --x=\'a b\' c'), ['node', 'my server.js', "--x='a", "b'", 'c']);
    assert.deepEqual(splitCommand('run \'a b\' "c\\"d"'), ['run', 'a b', 'c"d']);
});

test('sizes are short', () => {
    assert.deepEqual(
        [size(12), size(1500), size(2_500_000), shorten('abcdef', 3)],
        ['12 B', '1.5 kB', '2.5 MB', 'abc…'],
    );
});

test('whole numbers keep all their digits, and nothing else changes', () => {
    const exact = [
        '9007199254740993',
        '-9007199254740993',
        '9223372036854775807',
        '-9223372036854775808',
        '18446744073709551615',
        '{"__proto__":12345678901234567,"9007199254740993":1}',
        '["9007199254740993","\\"9007199254740993","\\\\",9007199254740993,[9007199254740995,{"a":9007199254740997}]]',
    ];
    for (const text of exact) assert.equal(json.write(json.parse(text)), text);
    assert.equal(json.write({ a: [9007199254740993n] }, 2), '{\n  "a": [\n    9007199254740993\n  ]\n}');
    for (const text of ['9007199254740991', '9007199254740992', '1.5', '0.12345678901234567890', '1e300', '"12345678901234567"', 'null'])
        assert.deepEqual(json.parse(text), JSON.parse(text), text);
    for (const text of ['[12345678901234567', '12345678901234567 8', '012345678901234567']) assert.throws(() => json.parse(text), SyntaxError);
});

test('a number that the program could not keep is found', () => {
    assert.equal(json.tooLong(json.parse('{"a": [1, 18446744073709551615, -9223372036854775808, "18446744073709551616"]}')), undefined);
    assert.equal(json.tooLong(json.parse('{"a": [1, {"b": 18446744073709551616}]}')), 18446744073709551616n);
    assert.equal(json.tooLong(json.parse('-9223372036854775809')), -9223372036854775809n);
    assert.equal(json.tooLong(json.parse('[1e400]')), Infinity);
});

test('the page has at most 1 MB', () => {
    const web = new URL('../../web/', import.meta.url);
    const files = readdirSync(web, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    assert.ok(files.length > 40);
    const bytes = files.reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);
    assert.ok(bytes <= 1_000_000, `${bytes} bytes`);
});
