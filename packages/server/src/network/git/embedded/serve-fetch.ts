import type { RawAnswer, RawRequest } from '../../../room.ts';
import { advertised_octets_max, fetch_octets_max } from '../../limits.ts';
import { GitUnavailableError } from '../git-host.ts';
import { gitHeaders, refuseOtherType } from './git-call.ts';
import type { GitProgram } from './git-program.ts';
import { readOctets } from './request-octets.ts';

export type Service = 'upload-pack' | 'receive-pack';

/** The version of the protocol that a client asks for; pushing knows none but the first. */
function protocolOf({ headers }: RawRequest, service: Service): Record<string, string> {
  const asked = headers['git-protocol'];
  const is_asked = typeof asked === 'string' && /^version=[0-2]$/.test(asked);
  return is_asked && service === 'upload-pack' ? { GIT_PROTOCOL: asked } : {};
}

const service_line = (service: Service) => {
  const line = `# service=git-${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
};

/** Answers which branches a repository has, or what the server can do, before a fetch or a push. */
export async function advertise(
  git: GitProgram,
  request: RawRequest,
  { path, service, settings = [] }: { path: string; service: Service; settings?: string[] },
): Promise<RawAnswer> {
  const env = protocolOf(request, service);
  const { signal } = request;
  const args = [service, '--stateless-rpc', '--advertise-refs', path];
  const octets_max = advertised_octets_max;
  const advertised = await git.run({ args, settings, env, signal, octets_max });
  if (!advertised) throw new GitUnavailableError('there are too many branches to list');
  // The second version says at its beginning what it is.
  const head = env.GIT_PROTOCOL === 'version=2' ? '' : service_line(service);
  return {
    status: 200,
    headers: gitHeaders(service, 'advertisement'),
    body: Buffer.concat([Buffer.from(head), advertised]),
  };
}

/** Answers what a clone or a fetch asks for; `ended` resolves once git has done with it. */
export async function serveFetch(
  git: GitProgram,
  request: RawRequest,
  path: string,
): Promise<{ answer: RawAnswer; ended: Promise<unknown> }> {
  refuseOtherType(request, 'upload-pack');
  const asked = await readOctets(request, fetch_octets_max);
  const { stdin, stdout, ended } = git.start({
    args: ['upload-pack', '--stateless-rpc', path],
    env: protocolOf(request, 'upload-pack'),
    signal: request.signal,
  });
  stdin.end(asked);
  return {
    answer: { status: 200, headers: gitHeaders('upload-pack', 'result'), body: stdout },
    ended,
  };
}
