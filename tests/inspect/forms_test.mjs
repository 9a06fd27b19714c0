// Forms in the browser: the controls can make what a schema allows, the JSON beside follows, and both ways stay in step.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open, show } from './browser.mjs';
import { startFake } from './fake_backend.mjs';
import { fillForms } from './fill_form.mjs';
import { fittingCases, isRefused, isWrong } from './schema_cases.mjs';

const tool = {
    name: 'book',
    inputSchema: {
        type: 'object',
        required: ['city', 'guests'],
        properties: {
            city: { type: 'string', minLength: 1 },
            nights: { type: 'integer', minimum: 1 },
            guests: {
                type: 'array',
                items: {
                    type: 'object',
                    required: ['name'],
                    properties: { name: { type: 'string' }, vegan: { type: 'boolean' } },
                },
            },
            when: { type: 'string', format: 'date' },
        },
    },
};
let browser, fake, page;
before(async () => {
    browser = await launch();
    fake = await startFake({ tools: [tool] });
    page = await open(browser, fake.url);
});
after(async () => {
    await browser?.close();
    await fake?.close();
});

const control = (id) => page.locator(`[data-id="${id}"] > [data-role="control"]`);
const json = () => page.locator('.json-text');
const argumentsNow = async () => JSON.parse(await json().inputValue());

test('the controls make values of schemas that Tenon does not check', async (t) => {
    const cases = fittingCases().filter(({ name }) => isRefused(name)); // npm_servers_test.mjs tries all others
    if (cases.length === 0) return t.skip('the JSON Schema suite is not there: ../shared/suites/json-schema');
    const results = await page.evaluate(fillForms, JSON.stringify(cases));
    assert.deepEqual(results.filter(isWrong), []);
    assert.deepEqual(page.problems, []);
    return undefined;
});

test('form and JSON follow each other, and keep the focus', async () => {
    await show(page, 'tools', 'book');
    await control('/city').fill('Bern');
    await page.locator('[data-id="/guests"] [data-role="add-item"]').click();
    await control('/guests/0/name').fill('Ada');
    await control('/guests/0/vegan').selectOption('true');
    assert.deepEqual(await argumentsNow(), { guests: [{ name: 'Ada', vegan: true }], city: 'Bern' });
    await json().fill('{"city": "Basel", "guests": [{"name": "Alan"}, {"name": "Grace"}], "nights": 2}');
    await page.waitForSelector('tn-editor[data-valid="true"]');
    assert.equal(await control('/city').inputValue(), 'Basel');
    assert.equal(await control('/guests/1/name').inputValue(), 'Grace');
    await page.getByRole('button', { name: 'Move item 2 up' }).click();
    assert.deepEqual((await argumentsNow()).guests, [{ name: 'Grace' }, { name: 'Alan' }]);
    await page.getByRole('button', { name: 'Remove item 1' }).click();
    await page.getByRole('button', { name: 'Leave out nights' }).click();
    assert.deepEqual(await argumentsNow(), { city: 'Basel', guests: [{ name: 'Alan' }] });
    await control('/city').press('End');
    await control('/city').pressSequentially('-Stadt');
    assert.equal((await argumentsNow()).city, 'Basel-Stadt');
});

test('JSON that is broken changes nothing, and says why', async () => {
    await json().fill('{"city": ');
    await page.waitForSelector('tn-editor[data-valid="false"]');
    assert.match(await page.locator('.editor-left').innerText(), /not JSON/);
    await page.getByRole('button', { name: 'Reset' }).click();
    assert.deepEqual(await argumentsNow(), { guests: [] });
});

test('a text that is not a number is an error of its field', async () => {
    await control('/nights').fill('two');
    await page.waitForFunction(() =>
        document.querySelector('[data-id="/nights"] .field-error').textContent.includes('not a number'),
    );
    assert.equal('nights' in (await argumentsNow()), false);
    await control('/nights').fill('1e400');
    await page.waitForFunction(() =>
        document.querySelector('[data-id="/nights"] .field-error').textContent.includes('too large'),
    );
    await control('/nights').fill('2');
    assert.equal((await argumentsNow()).nights, 2);
});
