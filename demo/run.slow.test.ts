import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { launchChromium } from '../test/support/chromium.ts'
import { freePort } from '../test/support/free-port.ts'
import { PASSPHRASE } from './sign-ups.ts'

// `npm run demo` as a reader of README.md runs it.

/** Milliseconds for its first screen, and for the filling on a busy machine. */
const FIRST_SCREEN_MS = 20_000
const FILLING_MS = 900_000

const folder = await mkdtemp(join(tmpdir(), 'tributary-demo-run-'))
after(() => rm(folder, { recursive: true, force: true }))
const port = await freePort()
const address = `http://localhost:${port}/`

function runDemo() {
  const child = spawn('npm', ['run', 'demo'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml' },
      ...{ DATA_DIR: join(folder, 'data'), PORT: `${port}` },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  return {
    said: () => output,
    async until(pattern: RegExp, patienceMs: number) {
      for (const until = Date.now() + patienceMs; !pattern.test(output); await sleep(50))
        assert.ok(child.exitCode === null && Date.now() < until, `no ${pattern} in: ${output}`)
    },
    async end() {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT')
      await ended
    },
  }
}

test('the demo shows the months left at once, and its page becomes the product, which goes on at the next start', async () => {
  const browser = await launchChromium()
  after(() => browser.close())
  const page = await browser.newPage()
  const first = runDemo()
  try {
    await first.until(/^Open http/m, FIRST_SCREEN_MS)
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Filling the demo' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText(/^\w+ \d{4}, \d+ months? left$/, { timeout: FILLING_MS })
    // the page reloads itself
    await page.getByLabel('Email').fill('elena@harbor.example', { timeout: FILLING_MS })
    await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 30_000 })
    await first.until(/^The portal of Jane Whitfield/m, 30_000)
  } finally {
    await first.end()
  }
  const next = runDemo()
  try {
    await next.until(/^Tributary listens/m, FIRST_SCREEN_MS * 3)
    assert.doesNotMatch(next.said(), /Filling/)
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible({ timeout: 30_000 })
  } finally {
    await next.end()
  }
})
