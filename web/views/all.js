// The views in the order of the navigation. `key` is the shortcut.
import { apps } from './apps.js';
import { check } from './check.js';
import { consent } from './consent.js';
import { history } from './history.js';
import { live } from './live.js';
import { prompts } from './prompts.js';
import { questions } from './questions.js';
import { resources } from './resources.js';
import { server } from './server.js';
import { signin } from './signin.js';
import { tap } from './tap.js';
import { templates } from './templates.js';
import { tools } from './tools.js';

/**
 * @typedef {object} View
 * @property {string} id @property {string} title @property {string} key
 * @property {(host: HTMLElement, app: any, argument: string) => ((argument: string) => void)|void} mount returns what to do
 * when only the argument of the address changes
 */

/** A tap only passes messages on: the other views have nothing to show. */
const TAPPED = new Set(['history', 'tap']);

/** Says whether a view is of use now. */
export const isUsed = (view, state) => state.status?.mode !== 'tap' || TAPPED.has(view.id);

/** @type {View[]} */
export const VIEWS = [
    server,
    tools,
    resources,
    templates,
    prompts,
    live,
    questions,
    consent,
    history,
    check,
    tap,
    signin,
    apps,
];
