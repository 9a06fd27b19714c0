// The only file that talks to the program: commands, and the stream of events. See API.md.
import { parse, write } from './json.js';

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
const headers = () => ({ 'X-Tenon-Key': meta('tenon-key') });

/** How long to wait before the stream is opened again: first, and at most. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/** An answer other than 200, or none at all. */
export class ApiError extends Error {
    /** @param {{message: string, remedy?: string, code?: number, data?: unknown}} error @param {number} status */
    constructor(error, status) {
        super(error.message);
        this.status = status;
        this.remedy = error.remedy ?? '';
        this.code = error.code;
        this.data = error.data;
    }
}

/**
 * Runs a command of the program.
 * @param {string} command @param {object} [body] @returns {Promise<any>}
 */
export async function send(command, body = {}, { signal } = {}) {
    let response;
    try {
        response = await fetch(`/api/${command}`, {
            method: 'POST',
            headers: { ...headers(), 'Content-Type': 'application/json' },
            body: write(body),
            signal,
        });
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        throw new ApiError(
            {
                message: 'The program tenon does not answer.',
                remedy: 'Is it still running? Start `tenon inspect` again and open its new URL.',
            },
            0,
        );
    }
    const answer = await readJson(response);
    if (!response.ok)
        throw new ApiError(
            answer?.error ?? { message: `The program answered with the status ${response.status}.` },
            response.status,
        );
    return answer.result;
}

async function readJson(response) {
    const text = await response.text();
    try {
        return parse(text);
    } catch {
        return { error: { message: text || `The program answered with the status ${response.status}.` } };
    }
}

/**
 * Reads events until `stop()` is called, and connects again when the stream ends.
 * @param {{event: (type: string, data: any, number: number) => void, up: () => void, down: (reason: string, refused: boolean) => void}} listener
 */
export function listen(listener) {
    const control = new AbortController();
    run(listener, control.signal);
    return { stop: () => control.abort() };
}

async function run(listener, signal) {
    let last = 0;
    let wait = FIRST_WAIT;
    while (!signal.aborted) {
        try {
            const response = await fetch(`/api/events?after=${last}`, {
                headers: headers(),
                signal,
                cache: 'no-store',
            });
            if (response.status === 401 || response.status === 403) return listener.down(await response.text(), true);
            if (!response.ok) throw new Error(`status ${response.status}`);
            listener.up();
            wait = FIRST_WAIT;
            for await (const event of events(response.body)) {
                if (event.id !== undefined) last = event.id;
                listener.event(event.type, event.data, event.id ?? 0);
            }
            throw new Error('the stream ended');
        } catch (error) {
            if (signal.aborted) return;
            listener.down(error.message, false);
            await pause(wait, signal);
            wait = Math.min(wait * 2, LONGEST_WAIT);
        }
    }
}

const pause = (ms, signal) =>
    new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener(
            'abort',
            () => {
                clearTimeout(timer);
                resolve();
            },
            { once: true },
        );
    });

/** Splits a stream into its events. */
async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            rest += value;
            const blocks = rest.split('\n\n');
            rest = blocks.pop();
            for (const block of blocks) {
                const event = readEvent(block);
                if (event) yield event;
            }
        }
    } finally {
        reader.cancel().catch(() => {});
    }
}

function readEvent(block) {
    let id,
        type = 'message',
        data;
    for (const line of block.split('\n')) {
        if (line.startsWith('id:')) id = Number(line.slice(3));
        else if (line.startsWith('event:')) type = line.slice(6).trim();
        else if (line.startsWith('data:')) data = line.slice(5).trimStart();
    }
    return data === undefined ? null : { id, type, data: parse(data) };
}
