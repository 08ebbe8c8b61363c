import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const cache_folder = join(import.meta.dirname, '../../../node_modules/.cache');

/** Only the fonts that come with the browser, so that a page looks the same on every machine. */
const fontsConf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;

/**
 * The folder with the unpacked browser. The package would unpack it at a fixed name in the machine's
 * temporary folder, where two runs or two users collide; here it is unpacked apart and then moved
 * into place whole.
 */
async function unpackChromium(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  const folder = join(cache_folder, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('no packaged Chromium for this machine: set STOA_TEST_CHROMIUM to a Chromium');
  }

  mkdirSync(cache_folder, { recursive: true });
  const staging = mkdtempSync(join(cache_folder, 'unpacking-'));
  const unpack = "(await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', `await ${unpack}`],
    {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: staging },
    },
  );
  writeFileSync(join(staging, 'fonts.conf'), fontsConf(folder));
  try {
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** The browser of this process: started for the first test that asks, and closed after the last. */
export function openBrowser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

/** A headless Chromium that runs for any user, root too, and asks nothing of the network. */
async function launchBrowser(): Promise<Browser> {
  const given = process.env.STOA_TEST_CHROMIUM;
  const folder = given ? undefined : await unpackChromium();
  return chromium.launch({
    executablePath: given ?? join(folder ?? '', 'chromium'),
    // The packaged build comes without the sandbox's helper, and brings its own fonts.
    chromiumSandbox: false,
    env: { ...process.env, ...(folder ? { FONTCONFIG_FILE: join(folder, 'fonts.conf') } : {}) },
    args: [
      '--no-zygote',
      '--disable-gpu',
      '--disable-webgl',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--disable-sync',
      '--no-pings',
      '--no-first-run',
      '--font-render-hinting=none',
    ],
  });
}
