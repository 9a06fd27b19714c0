// An official client uses every feature of examples/everything, one file per feature. TENON_WAY names a file of ways/,
// which chooses the client and the transport.
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
