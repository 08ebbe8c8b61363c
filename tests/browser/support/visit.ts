import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The screens that every page is shown on. */
export const screens = [
  { width: 360, height: 800, colorScheme: 'light' },
  { width: 360, height: 800, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
] as const;

export type Screen = { width: number; height: number; colorScheme: 'light' | 'dark' };

/** A browser on a busy machine may take its time; a page without what is looked for has no more. */
const wait_ms_max = 10_000;

/** A page that is looked at, and what the browser held against it so far. */
export type Visit = AsyncDisposable & {
  readonly page: Page;
  /** Goes to an address and answers the status. */
  goTo(url: string): Promise<number>;
  /** The text of the one element that the selector finds. */
  textOf(selector: string): Promise<string>;
  /** Errors of the console (violations of the content security policy are some), failed and foreign loads. */
  readonly complaints: string[];
};

/** Opens a tab of its own, without cookies or cache. */
export async function visit(
  browser: Browser,
  screen: Screen = screens[0],
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const { width, height, colorScheme } = screen;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    ...options,
  });
  context.setDefaultTimeout(wait_ms_max);
  const page = await context.newPage();
  const complaints: string[] = [];
  let document_url = '';
  page.on('console', (message) => {
    // That the page itself came with a status of 400 or more is the test's business.
    if (message.type() === 'error' && message.location().url !== document_url)
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(document_url).origin)
      complaints.push(`foreign: ${request.url()}`);
  });
  return {
    page,
    complaints,
    async goTo(url) {
      document_url = url;
      const answer = await page.goto(url, { waitUntil: 'networkidle' });
      return answer?.status() ?? 0;
    },
    textOf: async (selector) => (await page.textContent(selector, { strict: true })) ?? '',
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Asserts that nothing makes the page wider than its window. */
export async function assertFits(page: Page): Promise<void> {
  const [page_width, window_width] = await page.evaluate(
    () => [document.documentElement.scrollWidth, window.innerWidth] as const,
  );
  assert.ok(page_width <= window_width, `${page_width} px wide in a window of ${window_width}`);
}

/** Asserts what assistive technology walks by: a language, landmarks, headings in order, names of links. */
export async function assertWellBuilt(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return {
      lang: document.documentElement.lang,
      title: document.title,
      landmarks: ['header', 'main', 'footer', 'nav[aria-label]'].map(count),
      levels: [...document.querySelectorAll('h1,h2,h3,h4')].map(({ tagName }) =>
        Number(tagName[1]),
      ),
      nameless: [...document.querySelectorAll('a')].filter(
        (link) => !(link.getAttribute('aria-label') ?? link.textContent)?.trim(),
      ).length,
      twice: ids.filter((id, index) => ids.indexOf(id) !== index),
    };
  });
  assert.equal(found.lang, 'en');
  assert.notEqual(found.title, '');
  assert.deepEqual(found.landmarks.slice(0, 3), [1, 1, 1]);
  assert.ok((found.landmarks[3] ?? 0) >= 1);
  assert.equal(found.levels.filter((level) => level === 1).length, 1);
  assert.equal(found.levels[0], 1);
  for (const [index, level] of found.levels.entries()) {
    assert.ok(level <= (found.levels[index - 1] ?? 0) + 1, `headings go ${found.levels}`);
  }
  assert.equal(found.nameless, 0);
  assert.deepEqual(found.twice, []);
}

/** Texts that stand out from their ground by less than WCAG's AA asks: 4.5, or 3 if large. */
export async function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (color: string) => {
      if (!canvas) throw new Error('no canvas');
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (color: number[]) => {
      const [r = 0, g = 0, b = 0] = color.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = (element: Element | null): number[] => {
      if (!element) return [255, 255, 255, 255];
      const color = rgba(getComputedStyle(element).backgroundColor);
      return color[3] === 255 ? color : groundOf(element.parentElement);
    };
    const faint: string[] = [];
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!own || !element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const [light = 0, dark = 0] = [rgba(style.color), groundOf(element)]
        .map(luminance)
        .sort((a, b) => b - a);
      const contrast = (light + 0.05) / (dark + 0.05);
      const is_large = Number.parseFloat(style.fontSize) >= 24;
      if (contrast < (is_large ? 3 : 4.5)) {
        faint.push(`${contrast.toFixed(2)}: ${element.textContent?.trim().slice(0, 40)}`);
      }
    }
    return faint;
  });
}

/** What the Tab key reaches, in order, each with whether its focus shows. */
export async function tabThrough(page: Page): Promise<{ name: string; is_shown: boolean }[]> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const reached: { name: string; is_shown: boolean }[] = [];
  for (let presses = 0; presses < 500; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      return {
        name: element.getAttribute('href') ?? element.tagName.toLowerCase(),
        is_shown: style.outlineStyle !== 'none' && box.width > 1 && box.height > 1,
      };
    });
    if (!at) return reached;
    reached.push(at);
  }
  throw new Error('Tab never leaves the page');
}
