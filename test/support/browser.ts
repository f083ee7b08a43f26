import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, chromium, expect, type Page } from '@playwright/test'
import sparticuz, { inflate } from '@sparticuz/chromium'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const packed = new URL('../', import.meta.resolve('@sparticuz/chromium'))
const { version } = JSON.parse(readFileSync(new URL('package.json', packed), 'utf8'))
const folder = join(cache, `chromium-${version}`)
const executablePath = join(folder, 'chromium')
/** NSS, NSPR and expat, for machines that have none; used only where the browser does not start without. */
const libraries = join(folder, 'al2023', 'lib')

/** Unpacks the browser once per version, beside its place and then into it: a run cut short leaves no half. */
export default async function unpackBrowser() {
  if (await present(executablePath)) return
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'chromium-draft-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = draft
  try {
    await sparticuz.executablePath()
    if (!(await starts(join(draft, 'chromium')))) await inflate(fileURLToPath(new URL('bin/al2023.tar.br', packed)))
    await rename(draft, folder)
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(draft, { recursive: true, force: true })
  }
}

const present = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const starts = (path: string) =>
  promisify(execFile)(path, ['--version']).then(
    () => true,
    () => false,
  )

type Watched = {
  /** What the page complained about so far: console errors, exceptions, violations of the content security policy. */
  complaints: string[]
}

/** Tests in our own Chromium, whose pages' complaints are heard. */
export const test = base.extend<Watched>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  browser: async ({}, use) => {
    const env = (await present(libraries)) ? { ...process.env, LD_LIBRARY_PATH: libraries } : process.env
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      env: env as Record<string, string>,
    })
    await use(browser)
    await browser.close()
  },
  complaints: async ({ page }, use) => {
    await use(await hearComplaints(page))
  },
})

/** Hears from now on what a page complains about, into `complaints`. */
export async function hearComplaints(page: Page, complaints: string[] = []): Promise<string[]> {
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      // biome-ignore lint/suspicious/noConsole: this runs in the page; the console is how it reaches the test
      console.error(`policy ${effectiveDirective} refused ${blockedURI} ${sample}`),
    ),
  )
  return complaints
}

/** Complaints without the browser's own notes on answers that a screen expects. */
export const unexpected = (complaints: string[], ...statuses: number[]) =>
  complaints.filter(
    (complaint) => !statuses.some((status) => complaint.includes(`the server responded with a status of ${status} `)),
  )

/** Fails with the rules broken on the page as it is shown: axe's, by WCAG 2.2 AA and best practice, or only the named. */
export async function expectAccessible(page: Page, ...rules: string[]) {
  // Our pages have no frames, which is what the other mode is for.
  const builder = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules.length ? builder.withRules(rules) : builder).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

export { expect }
