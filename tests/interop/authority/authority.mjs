// A real authorisation server: oidc-provider, with a user who agrees to everything. It issues tokens for any resource.
// Tokens for a resource whose path ends in "/brief" are valid for a short time. GET /grants returns how each token was
// obtained.
import { createServer } from 'node:http';
import * as jose from 'jose';
import Provider from 'oidc-provider';

const scopes = 'notes:read notes:write';
const grants = [];

// Seconds that a token for "/brief" is valid, by the way it was obtained. A client refreshes a token half a minute before
// its end, so the token of a user is refreshed at once, and a slow machine has the time to use it first. One second would
// also end a token that was just refreshed, and the user would be asked again.
const briefly = { client_credentials: 1, authorization_code: 20, refresh_token: 300 };

async function newKeys() {
    const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true });
    return { keys: [{ ...(await jose.exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'ES256' }] };
}

// The provider must know its port, so a request may arrive before the provider exists. Such a request waits.
const server = createServer(async (request, response) => (await answerer)(request, response));
const answerer = new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)).then(start);

async function start() {
    const provider = new Provider(`http://127.0.0.1:${server.address().port}`, {
        jwks: await newKeys(),
        scopes: ['openid', 'offline_access', ...scopes.split(' ')],
        clientDefaults: { id_token_signed_response_alg: 'ES256' },
        clients: [
            {
                client_id: 'robot',
                client_secret: 'robot-secret',
                grant_types: ['client_credentials'],
                redirect_uris: [],
                response_types: [],
            },
        ],
        features: {
            devInteractions: { enabled: false },
            clientCredentials: { enabled: true },
            introspection: { enabled: true },
            registration: { enabled: true },
            resourceIndicators: {
                enabled: true,
                useGrantedResource: () => true,
                getResourceServerInfo: (ctx, resource) => ({
                    scope: scopes,
                    audience: resource,
                    accessTokenFormat: resource.endsWith('/opaque') ? 'opaque' : 'jwt',
                    accessTokenTTL: resource.endsWith('/brief') ? briefly[ctx.oidc.params.grant_type] : 300,
                    jwt: { sign: { alg: 'ES256' } },
                }),
            },
        },
        issueRefreshToken: () => true,
        interactions: { url: (_, { uid }) => `/agree/${uid}` },
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
        cookies: { keys: ['a key for cookies'] },
    });
    provider.on('grant.success', (ctx) => grants.push(ctx.oidc.params.grant_type));
    provider.on('server_error', (_, error) => console.error(error));

    return async (request, response) => {
        if (request.url === '/grants') return response.end(JSON.stringify(grants));
        if (request.url.startsWith('/agree/')) return agree(provider, request, response);
        return provider.callback()(request, response);
    };
}

async function agree(provider, request, response) {
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
        return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    }
    const grant = grantId
        ? await provider.Grant.find(grantId)
        : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    if (prompt.details.missingOIDCScope) grant.addOIDCScope(prompt.details.missingOIDCScope.join(' '));
    for (const [resource, missing] of Object.entries(prompt.details.missingResourceScopes ?? {})) {
        grant.addResourceScope(resource, missing.join(' '));
    }
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true });
}
