import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { pino } from 'pino'
import { NIL, newId } from '../../server/platform/database/ids.ts'
import { type Database, openDatabase } from '../../server/platform/database/pool.ts'
import { ADMINISTRATOR, expectOk, signIn } from '../support/app.ts'
import { expectAccessible } from '../support/browser.ts'
import {
  atRest,
  expectAccessibleInBothThemes,
  openAs,
  pageHeading,
  reopenScreen,
  type Site,
  signedInPage,
  startSite,
} from '../support/journey.ts'
import { clearLayoutShifts, readLayoutShifts, watchJumps } from '../support/layout-shifts.ts'
import {
  count,
  differingCell,
  expectSame,
  type Heads,
  moment,
  oneOf,
  readDownload,
  shownOn,
  text,
} from '../support/list-files.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { expect, test } from '../support/test.ts'

// The install's health as its operator sees it, and handling parked work.

let site: Site
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
let folder: string

test.beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'))
  site = await startSite({ DATABASE_URL: database.url, BACKUP_DIR: folder })
  db = openDatabase({ url: database.url, log: pino({ level: 'silent' }), max: 1 })
})

test.afterAll(async () => {
  await db.close()
  await site.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Leaves an event as the relay does after a listener refused it twelve times. */
const parkEvent = () => db.run`
  with told as (
    insert into passing_events (id, account_id, at, type, kind, audited, actor_type, data)
    values (${newId()}, ${NIL}, now(), 'invitation.wanted', 'internal', false, 'system', '{}') returning id, account_id)
  insert into event_relays (event_id, account_id, tries, error, parked_at) select id, account_id, 12, 'connection refused', now() from told`

/** Leaves a job as pg-boss does after a hundred and one failures. */
const parkJob = () => db.run`
  insert into pgboss.job (name, data, source_name, source_retry_count, source_output, keep_until)
  values ('parked', ${JSON.stringify({ deliveryId: newId() })}, 'incoming-delivery', 100,
    '{"message": "no room for jane@harbor.example"}', now() + interval '14 days')`

const rows = (page: Page) => page.getByRole('table', { name: 'System: Failed jobs' }).getByRole('row')
const statusMessage = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

test('an administrator reads why work is parked, retries one item and then the others at once', async ({
  page,
  complaints,
}) => {
  await Promise.all([parkEvent(), parkEvent()])
  await parkJob()
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts')
  await page.getByRole('tab', { name: 'System' }).click()
  await expect(page).toHaveURL(`${site.url}/admin/system`)
  await expect(pageHeading(page, 'System')).toBeVisible()
  await expect(statusMessage(page, '3 items failed every attempt.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Database' })).toContainText('Set by DATABASE_URL')
  await expect(page.getByRole('region', { name: 'Mail' })).toContainText('Saved in the outbox, not sent')
  await expect(page.getByRole('table', { name: 'Queues' }).getByRole('row', { name: /^Events/ })).toContainText('2')
  await expect(rows(page)).toHaveCount(4)
  const job = rows(page).filter({ hasText: 'Incoming webhooks' })
  await expect(job).toContainText('no room for •••')
  await expect(job).toContainText('101')
  await expectAccessibleInBothThemes(page)

  await page.getByRole('button', { name: 'Retry Incoming webhooks' }).click()
  await expect(statusMessage(page, '1 item will be tried again')).toBeVisible()
  await expect(pageHeading(page, 'System')).toBeFocused()
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Retry all failed jobs' }).click()
  await expect(statusMessage(page, '2 items will be tried again')).toBeVisible()
  const parked = page.getByRole('region', { name: 'Failed jobs' })
  await expect(parked).toContainText('No data to show')
  await expect(page.getByRole('button', { name: 'Retry all failed jobs' })).toHaveCount(0)
  await expect.poll(() => db.many`select from event_relays`).toEqual([])
  expect(complaints).toEqual([])
})

const parkedHeads: Heads = {
  What: oneOf({ 'incoming-delivery': 'Incoming webhooks', 'invitation.wanted': 'invitation.wanted' })('name'),
  Kind: oneOf({ event: 'Event', job: 'Job' })('kind'),
  Reason: text('reason'),
  Tries: count('attempts'),
  Since: moment('createdAt'),
  'Deleted on': moment('keptUntil'),
  Retry: differingCell('its buttons'),
}

test('the file of parked work matches its table: columns, order, filter and every cell', async ({
  browser,
  complaints,
}) => {
  await Promise.all([parkEvent(), parkEvent()])
  await parkJob()
  const wide = { viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' }
  const page = await signedInPage(browser, site, ADMINISTRATOR, complaints, wide)
  await page.goto(site.url)
  for (const query of ['', '?sort=createdAt&kind=job&hide=attempts']) {
    await reopenScreen(page, `/admin/system${query}`)
    const shown = await shownOn(page, 'System: Failed jobs')
    expect(shown.rows.length).toBeGreaterThanOrEqual(query ? 1 : 3)
    expectSame(shown, await readDownload(page), parkedHeads)
  }
  await page.getByRole('button', { name: 'Retry all failed jobs' }).click()
  await expect(statusMessage(page, '3 items will be tried again')).toBeVisible()
  expect(complaints).toEqual([])
})

test('the screen updates while it is open, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, ADMINISTRATOR, '/admin/system')
  await expect(page.getByRole('region', { name: 'Failed jobs' })).toContainText('No data to show')
  await parkEvent()
  await expect(statusMessage(page, '1 item failed every attempt.')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('button', { name: 'Retry invitation.wanted' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
  // another administrator was quicker, and the list is out of date
  const { token } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  await page.route('**/admin/system/parked?*', (route) => route.abort())
  expectOk(await site.api('POST', '/admin/system/parked/retry', { token }))
  await page.getByRole('button', { name: 'Retry invitation.wanted' }).click()
  await expect(page.getByRole('alert')).toHaveText(/This is no longer parked/)
})

test('the layout is stable when something is wrong, whichever response arrives first', async ({ page }) => {
  await parkEvent()
  await watchJumps(page)
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts')
  const paths = { system: '**/api/v1/admin/system', parked: '**/api/v1/admin/system/parked*' }
  const answers = { system: Promise.withResolvers<void>(), parked: Promise.withResolvers<void>() }
  for (const name of ['system', 'parked'] as const)
    await page.route(paths[name], async (route) => {
      const response = await route.fetch()
      await answers[name].promise
      await route.fulfill({ response })
    })
  for (const [first, second] of [
    ['system', 'parked'],
    ['parked', 'system'],
  ] as const) {
    for (const name of [first, second]) answers[name] = Promise.withResolvers()
    await page.goto(`${site.url}/admin/system`)
    await expect(pageHeading(page, 'System')).toBeVisible()
    await expect(page.getByLabel('Loading...').first()).toBeVisible()
    await page.waitForTimeout(300)
    await clearLayoutShifts(page)
    for (const name of [first, second]) {
      const answer = page.waitForResponse(paths[name])
      answers[name].resolve()
      await answer
      await page.waitForTimeout(200)
    }
    await expect(page.getByText('1 item failed every attempt')).toBeVisible()
    await atRest(page)
    const { by, what } = await readLayoutShifts(page)
    expect(by, `${first} first: ${what}`).toBeLessThan(0.05)
  }
})

test('an administrator backs up now, and sees that it runs and then when it was done', async ({ page, complaints }) => {
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts')
  await page.getByRole('tab', { name: 'System' }).click()
  const backups = page.getByRole('region', { name: 'Backups' })
  await expect(statusMessage(page, 'No backup has been written yet.')).toBeVisible()
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(statusMessage(page, 'The backup starts in a few seconds')).toBeVisible()
  await expect(backups).toContainText('Running now')
  await expect(backups.getByRole('button', { name: 'Back up now' })).toHaveAttribute('aria-disabled')
  await expect(backups).toContainText(/Newest.*(now|ago)/, { timeout: 30_000 })
  await expect(backups).not.toContainText('Running now', { timeout: 30_000 })
  await expect(backups).toContainText('Kept1')
  expect((await readdir(folder)).filter((name) => name.endsWith('.zip'))).toHaveLength(1)
  await expect(statusMessage(page, 'No backup has been written yet.')).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('only an administrator finds it', async ({ page }) => {
  await page.goto(`${site.url}/admin/system`)
  await expect(pageHeading(page, 'Sign in')).toBeVisible()
})
