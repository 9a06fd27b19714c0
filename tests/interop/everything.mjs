// An official client drives examples/everything through every feature; one file a feature. The environment says which
// client, and how it connects: TENON_WAY is the name of a file of ways/.
import { way } from './harness.mjs';
import './everything/lifecycle.mjs';
import './everything/tools.mjs';
import './everything/calls.mjs';
import './everything/resources.mjs';
import './everything/prompts.mjs';
import './everything/logging.mjs';
import './everything/questions.mjs';
import './everything/load.mjs';
if (!way.http) await import('./everything/pipes.mjs');
if (way.http) await import('./everything/sessions.mjs');
if (way.modern) await import('./everything/modern.mjs');
