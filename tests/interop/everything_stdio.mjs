// The official TypeScript SDK (v1) drives examples/everything over stdio through every feature; one file a feature.
import './everything/lifecycle.mjs';
import './everything/tools.mjs';
import './everything/calls.mjs';
import './everything/resources.mjs';
import './everything/prompts.mjs';
import './everything/logging.mjs';
import './everything/questions.mjs';
import './everything/load.mjs';
