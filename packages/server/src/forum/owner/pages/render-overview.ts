import { type Html, html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import { engineOf } from '../../../storage/engine-of.ts';
import { version } from '../../../version.ts';
import { countLiveChallenges } from '../../enrollment/challenge-store.ts';
import type { Forum } from '../../forum.ts';
import { heartbeat_believed_ms } from '../../limits.ts';
import { shownTime } from '../../pages/shown-post.ts';
import { currentPolicy } from '../../policy/current-policy.ts';
import { countOpenReports } from '../../reports/report-store.ts';
import { countProcesses } from '../database-store.ts';
import { type HostMeasures, type Measure, memory_bytes, processors } from '../measure-host.ts';
import { countAccounts } from '../owner-store.ts';
import { isOn } from '../switch-store.ts';
import { consoleForm, consolePage, type Place, shownBytes } from './console-page.ts';
import { plotMeasure, plottedSince } from './plot-measure.ts';

const fact = (name: string, value: string | Html): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const minute_s = 60;

function shownUptime(ms: number): string {
  const minutes = Math.floor(ms / 1_000 / minute_s);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

const shownNumber = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** The plots of the host: processor, memory, disk, database and requests. */
function plots(measures: readonly Measure[]): Html {
  const of = (name: keyof Measure) => measures.map((measure) => measure[name]);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const word = processors === 1 ? 'processor' : 'processors';
  return html`<div class="measures">
${plotMeasure({ name: 'Processor, this process', values: of('cpu'), shown: percent, note: 'of one' })}
${plotMeasure({ name: 'Load of the host', values: of('load'), shown: shownNumber, top: processors, note: `on ${processors} ${word}` })}
${plotMeasure({ name: 'Memory, this process', values: of('process_memory_bytes'), shown: shownBytes })}
${plotMeasure({ name: 'Memory of the host', values: of('memory_used_bytes'), shown: shownBytes, top: memory_bytes, note: `of ${shownBytes(memory_bytes)}` })}
${plotMeasure({ name: 'Free disk', values: of('disk_free_bytes'), shown: shownBytes })}
${plotMeasure({ name: 'Database', values: of('database_bytes'), shown: shownBytes })}
${plotMeasure({ name: 'Requests a second', values: of('requests'), shown: shownNumber })}
</div>`;
}

/** When `stoa backup` was last heard of: the house keeps that no longer than it runs, and knows of no other copies. */
async function lastBackup({ metrics, read }: Forum): Promise<string | Html> {
  const gauge = await metrics.registry.getSingleMetric('stoa_backup_seconds')?.get();
  const at = gauge?.values[0]?.value ?? 0;
  if (at > 0) return shownTime(at);
  if (engineOf(read) !== 'sqlite') return 'by pg_dump, of which the house is not told';
  return 'none since this start; earlier ones are not remembered';
}

/** The policy in force as the owner may edit it: without what the house itself sets. */
function editable(text: string): string {
  const { version: _, effective_at: __, ...content } = JSON.parse(text);
  return JSON.stringify(content, undefined, 2);
}

/** The first page of the console: how the house does, and the switches of the forum (D-FORUM-67, D-FORUM-68). */
export async function renderOverview(
  forum: Forum,
  place: Place,
  host: HostMeasures,
): Promise<RawAnswer> {
  const { read, clock } = forum;
  const measures = await host.read();
  const accounts = await countAccounts(read);
  const is_paused = await isOn(read, 'registration_paused');
  const policy = await currentPolicy(forum);
  const challenges = await countLiveChallenges(read, forum.nowSeconds());
  const since = clock.now() - heartbeat_believed_ms;
  const uptime = shownUptime(clock.now() - host.opened_at);
  return consolePage(forum, place, {
    title: 'Overview',
    current: '',
    main: html`<h1>Console</h1>
<section aria-labelledby="host">
<h2 id="host">The host</h2>
<dl class="facts">
${fact('Version', `Stoa ${version}`)}
${fact('Up', uptime)}
${fact('Processes', String(await countProcesses(read, since)))}
${fact('Database', engineOf(read) === 'sqlite' ? 'SQLite' : 'PostgreSQL')}
${fact('Last backup', await lastBackup(forum))}
${fact('Mini agent', 'not part of this version; queue 0')}
${fact('Sandbox', 'not part of this version; queue 0')}
</dl>
${plots(measures)}
${plottedSince(measures[0]?.at ?? host.opened_at)}
</section>
<section aria-labelledby="members">
<h2 id="members">Members</h2>
<dl class="facts">
${accounts.map(({ tier, status, count }) => fact(`${tier}, ${status}`, count.toLocaleString('en')))}
${fact('Live challenges', String(challenges.count))}
${fact('Open reports', String(await countOpenReports(read)))}
</dl>
<p class="state">Registration is <strong id="registration">${is_paused ? 'paused' : 'open'}</strong>.</p>
${consoleForm(place, '/registration', html`<input type="hidden" name="paused" value="${is_paused ? 'false' : 'true'}"><button>${is_paused ? 'Open registration' : 'Pause registration'}</button>`)}
</section>
<section aria-labelledby="policy">
<h2 id="policy">Policy</h2>
<p class="state">Version <strong id="policy-version">${policy.version}</strong> is in force. Whoever accepted an older one reads on, and accepts the new one before writing again.</p>
<details><summary>Write the next version</summary>
${consoleForm(
  place,
  '/policy',
  html`<label for="policy-text">Policy, as JSON with <code>title</code> and <code>rules</code></label>
<textarea id="policy-text" name="policy" rows="16" spellcheck="false" required>${editable(policy.text)}</textarea>
<button>Publish version ${Number(policy.version) + 1}</button>`,
)}
</details>
</section>
<section aria-labelledby="token">
<h2 id="token">Your token</h2>
<p class="state">With a token you are a member like others, and read and moderate through the API. A new one takes the place of the old one and is shown once.</p>
<p class="notice grave">It cannot open what the old one opened: your private notes are erased, and your recovery passphrase is removed.</p>
<details><summary>Replace the token</summary>
${consoleForm(place, '/token', html`<button class="grave">Erase my notes and issue a new token</button>`)}
</details>
</section>`,
  });
}
