// The servers of other projects that `tenon check` is run on. None of them needs an account: keys are made up, and a
// server whose own service cannot be reached has to be checkable too.
//
// `package` is the npm package, `bin` the name of its program if it has several, `args` its arguments, `env` its
// environment, `files` what is in its folder. In all of them {dir} is that folder, and {port} a free port. A server with
// `path` is checked over HTTP at that path, of `host`. `unreachable`: it does not start without its service, so it is
// not checked, and no failure is reported. `unseen`: it was first checked after the last change of a rule.

const key = 'made-up-key';
const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:9' } }],
    contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
    users: [{ name: 'none', user: {} }],
    'current-context': 'none',
});
const kubernetes = { package: 'kubernetes-mcp-server', files: { kubeconfig } };
const searxng = { package: 'mcp-searxng' };
const everything = '@modelcontextprotocol/server-everything';
const map = '@modelcontextprotocol/server-map';
const chart = '@antv/mcp-server-chart';

const typescriptV1 = [
    { name: 'everything', package: everything },
    { name: 'everything-http', package: everything, args: ['streamableHttp'], env: { PORT: '{port}' }, path: '/mcp' },
    { name: 'filesystem', package: '@modelcontextprotocol/server-filesystem', args: ['{dir}'] },
    { name: 'memory', package: '@modelcontextprotocol/server-memory', env: { MEMORY_FILE_PATH: '{dir}/memory.json' } },
    { name: 'sequential-thinking', package: '@modelcontextprotocol/server-sequential-thinking' },
    { name: 'github', package: '@modelcontextprotocol/server-github', env: { GITHUB_PERSONAL_ACCESS_TOKEN: key } },
    { name: 'playwright', package: '@playwright/mcp', args: ['--headless', '--isolated'] },
    { name: 'playwright-http', package: '@playwright/mcp', args: ['--headless', '--isolated', '--port', '{port}'],
      path: '/mcp', host: 'localhost' },
    { name: 'drawio', package: 'drawio-mcp-server' },
    { name: 'browsermcp', package: '@browsermcp/mcp' },
    { name: 'chart', package: chart },
    { name: 'chart-http', package: chart, args: ['--transport', 'streamable', '--port', '{port}'], path: '/mcp' },
    { name: 'shrimp', package: 'mcp-shrimp-task-manager', env: { DATA_DIR: '{dir}' } },
    { name: 'terraform', package: 'terraform-mcp-server' },
    { name: 'commands', package: 'mcp-server-commands' },
    { name: 'notion', package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: key } },
    { name: 'sentry', package: '@sentry/mcp-server', args: ['--access-token', key] },
    { name: 'tavily', package: 'tavily-mcp', env: { TAVILY_API_KEY: key } },
    { name: 'exa', package: 'exa-mcp-server', env: { EXA_API_KEY: key } },
    { name: 'figma', package: 'figma-developer-mcp', args: ['--stdio', '--figma-api-key', key] },
    { name: 'figma-http', package: 'figma-developer-mcp', args: ['--figma-api-key', key, '--port', '{port}'], path: '/mcp' },
    { name: 'eslint', package: '@eslint/mcp' },
    { name: 'fetch', package: 'mcp-fetch-server', bin: 'mcp-fetch-server' },
    { name: 'next-devtools', package: 'next-devtools-mcp' },
    { name: 'mobile', package: '@mobilenext/mobile-mcp', bin: 'mcp-server-mobile' },
];

const typescriptV2 = [
    { name: 'map', package: map, args: ['--stdio'] },
    { name: 'map-http', package: map, env: { PORT: '{port}' }, path: '/mcp' },
    { name: 'context7', package: '@upstash/context7-mcp' },
    { name: 'context7-http', package: '@upstash/context7-mcp', args: ['--transport', 'http', '--port', '{port}'], path: '/mcp' },
    { name: 'octocode', package: 'octocode-mcp', bin: 'octocode-mcp', env: { GITHUB_TOKEN: key } },
    { name: 'dbhub', package: '@bytebase/dbhub', args: ['--demo'] },
    { name: 'dbhub-http', package: '@bytebase/dbhub', args: ['--demo', '--transport', 'http', '--port', '{port}'], path: '/mcp' },
    { name: 'supabase', package: '@supabase/mcp-server-supabase', bin: 'mcp-server-supabase',
      args: ['--access-token', 'sbp_made_up'] },
    { name: 'chrome-devtools', package: 'chrome-devtools-mcp', bin: 'chrome-devtools-mcp', args: ['--headless', '--isolated'] },
    { ...searxng, name: 'searxng', env: { SEARXNG_URL: 'http://127.0.0.1:9' } },
    { ...searxng, name: 'searxng-http', env: { SEARXNG_URL: 'http://127.0.0.1:9', MCP_HTTP_PORT: '{port}' }, path: '/mcp' },
    { name: 'mcpvault', package: '@bitbonsai/mcpvault', args: ['{dir}'] },
    { name: 'upstash', package: '@upstash/mcp-server', args: ['--email', 'a@example.com', '--api-key', key], unreachable: true },
];

const others = [
    // fastmcp
    { name: 'firecrawl', package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: key } },
    // tmcp
    { name: 'svelte', package: '@sveltejs/mcp', unreachable: true },
    // Go
    { ...kubernetes, name: 'kubernetes', args: ['--kubeconfig', '{dir}/kubeconfig'] },
    { ...kubernetes, name: 'kubernetes-http', args: ['--kubeconfig', '{dir}/kubeconfig', '--port', '{port}'], path: '/mcp' },
    { name: 'excel', package: '@negokaz/excel-mcp-server' },
    // its own implementation
    { name: 'codegraph', package: '@colbymchenry/codegraph', args: ['serve', '--mcp'] },
];

const unseen = [
    { name: 'brave-search', package: '@brave/brave-search-mcp-server', env: { BRAVE_API_KEY: key } },
    { name: 'brave-search-http', package: '@brave/brave-search-mcp-server',
      env: { BRAVE_API_KEY: key, BRAVE_MCP_TRANSPORT: 'http', BRAVE_MCP_PORT: '{port}', BRAVE_MCP_HOST: '127.0.0.1' }, path: '/mcp' },
    { name: 'nx', package: 'nx-mcp' },
    { name: 'azure', package: '@azure/mcp', args: ['server', 'start'] }, // C#
    { name: 'git', package: '@cyanheads/git-mcp-server', env: { MCP_TRANSPORT_TYPE: 'stdio' } },
    { name: 'git-http', package: '@cyanheads/git-mcp-server',
      env: { MCP_TRANSPORT_TYPE: 'http', MCP_HTTP_PORT: '{port}', MCP_HTTP_HOST: '127.0.0.1' }, path: '/mcp' },
    { name: 'launchdarkly', package: '@launchdarkly/mcp-server', args: ['start', '--api-key', key] },
    { name: 'pinecone', package: '@pinecone-database/mcp', env: { PINECONE_API_KEY: key } },
    { name: 'gitlab', package: '@zereight/mcp-gitlab', env: { GITLAB_PERSONAL_ACCESS_TOKEN: key } },
    { name: 'linear', package: '@tacticlaunch/mcp-linear', args: ['--token', key] },
    { name: 'circleci', package: '@circleci/mcp-server-circleci', env: { CIRCLECI_TOKEN: key } },
    { name: 'postman', package: '@postman/postman-mcp-server', env: { POSTMAN_API_KEY: key } },
    { name: 'digitalocean', package: '@digitalocean/mcp', env: { DIGITALOCEAN_API_TOKEN: key } }, // Go
];

export const servers = [
    ...typescriptV1,
    ...typescriptV2,
    ...others,
    ...unseen.map((server) => ({ ...server, unseen: true })),
];

/** For ./dev test: what tests/interop installs anyway. */
const small = ['everything', 'everything-http', 'filesystem'];
export const smallServers = servers
    .filter(({ name }) => small.includes(name))
    .map((server) => ({ ...server, folder: '../../interop' }));
