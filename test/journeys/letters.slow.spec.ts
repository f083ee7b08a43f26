import type { Page } from '@playwright/test'
import { type MailKind, mailKinds } from '#contract/mail-kinds.ts'
import { mails } from '../../server/integrations/mail/kinds/registry.ts'
import { renderMail } from '../../server/integrations/mail/layout.ts'
import { expectAccessible } from '../support/browser.ts'
import { expect, test } from '../support/test.ts'

// Every mail in a browser, which is kinder than mail programs are: nothing is wider than a small phone, however long
// names are, and its colors are readable in the light and the dark theme.

const unsubscribeUrl = 'https://partners.example.com/mail/unsubscribe/sample'
const LONG = 'W'.repeat(200)

/** The rules that apply to a mail; it is shown inside a mailbox, whose landmarks are not ours. */
const RULES = ['color-contrast', 'document-title', 'heading-order', 'html-has-lang', 'link-in-text-block', 'link-name']

/** Fields that contain text typed by people. */
const TYPED = /^(accountName|invitedBy|firstName|name|partner|reason|reference)$/

const withLongNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withLongNames)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'string' && TYPED.test(key) ? LONG : withLongNames(one),
    ]),
  )
}

const show = (page: Page, kind: MailKind, data: object) =>
  page.setContent(renderMail(mails[kind].write(data), { unsubscribeUrl }).html)

test('no mail is wider than a small phone, however long a name is', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 })
  for (const kind of mailKinds) {
    await show(page, kind, withLongNames(mails[kind].sample) as object)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), kind).toBeLessThanOrEqual(320)
  }
})

test('every mail is readable in light and dark mode', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const kind of mailKinds) {
      await show(page, kind, mails[kind].sample)
      await expectAccessible(page, ...RULES)
    }
  }
})
