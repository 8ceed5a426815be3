/** Connects to the server through an HTTP proxy if the environment names one. */
import { request } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { Agent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ClientOptions } from 'ws';

/** Returns the proxy from HTTPS_PROXY, unless NO_PROXY names the server. */
function proxyFor(server: string, env: NodeJS.ProcessEnv): URL | undefined {
  const proxy = env['HTTPS_PROXY'] ?? env['https_proxy'];
  if (!proxy) return undefined;
  const { hostname } = new URL(server);
  const exempt = (env['NO_PROXY'] ?? env['no_proxy'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^\./, ''));
  if (
    exempt.some(
      (each) => each === '*' || (each !== '' && (hostname === each || hostname.endsWith(`.${each}`))),
    )
  )
    return undefined;
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

export function proxyOptions(server: string, env: NodeJS.ProcessEnv): ClientOptions {
  const proxy = proxyFor(server, env);
  return proxy ? { agent: tunnelAgent(proxy) } : {};
}

/** An HTTPS agent that opens a tunnel with CONNECT and then speaks TLS through it. */
function tunnelAgent(proxy: URL): Agent {
  const agent = new Agent();
  agent.createConnection = (options, done) => {
    const { host, port } = options as AgentOptions & { host: string; port: number };
    const credentials =
      proxy.username &&
      Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`);
    const connect = request({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: 'CONNECT',
      path: `${host}:${port}`,
      headers: {
        Host: `${host}:${port}`,
        ...(credentials && { 'Proxy-Authorization': `Basic ${credentials.toString('base64')}` }),
      },
      timeout: 20_000,
    });
    const fail = (error: Error): void => done?.(error, undefined as unknown as Duplex);
    connect.once('connect', (response, socket) => {
      if (response.statusCode !== 200) return fail(new Error(`the proxy answered ${response.statusCode}`));
      done?.(
        null,
        connectTls({ ...(options as object), socket, servername: host, rejectUnauthorized: false }),
      );
    });
    connect.once('timeout', () => connect.destroy(new Error('the proxy does not answer')));
    connect.once('error', fail);
    connect.end();
    return undefined;
  };
  return agent;
}
