import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Tokens } from 'marked'
import { everyToken, readDocs } from '../../web/build/docs-markdown.ts'
import { aPartner, expectOk, waitUntil } from './app.ts'
import { root } from './docs-commands.ts'
import { anOwner, type Site } from './journey.ts'
import { aBlueprint } from './links.ts'
import { expect } from './test.ts'

const { pages } = readDocs(join(root, 'docs'))
const ELEMENTS = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(
  ELEMENTS.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }] as const),
)

/** Commission of the partner, in percent. */
const RATE = 20

/**
 * A recipe of the docs, for an account with a partner and a link to a customer's site. `code` returns a block of its page
 * with the addresses of this account in place of the examples.
 */
export async function followRecipe(site: Site, name: string, destinationUrl: string) {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [RATE] } })
  const call = async (method: string, path: string, body?: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const partner = await aPartner(site, owner, { firstName: 'Jane' })
  const link = await aBlueprint(site, owner, { destinationUrl })
  const { snippet } = await call('PUT', `/accounts/${owner.id}/embed-code`, { config })
  const [, address, publicId] = /src="(.+)\/embed\/(.+)\.js"/.exec(snippet)!
  const blocks = everyToken(pages.get(`recipes/${name}`)!.tokens).filter(({ type }) => type === 'code') as Tokens.Code[]

  /** Returns a block of this language, by its place among them; `replaced` are further examples with their values. */
  function code(lang: string, at = 0, replaced: Record<string, string> = {}): string {
    const block = blocks.filter((one) => one.lang === lang)[at]
    if (!block) throw new Error(`docs/recipes/${name}.md has no block ${at} of ${lang}`)
    const examples = { 'https://partners.example.com': address!, '160RLxwV_yP-': publicId!, ...replaced }
    return Object.entries(examples).reduce((text, [example, value]) => text.replaceAll(example, value), block.text)
  }

  return {
    owner,
    partner,
    call,
    code,
    /** Returns what a block of JavaScript exports, on a server or in an app. */
    load: (at = 0, replaced: Record<string, string> = {}) =>
      import(`data:text/javascript,${encodeURIComponent(code('js', at, replaced))}`),
    /** The embed code of the page, which must be the one that the screen gives. */
    embedCode() {
      expect(code('html')).toBe(snippet)
      return snippet as string
    },
    snippet: snippet as string,
    /** Sets the variables of a server that pushes. */
    async setPushKey() {
      const { apiKey } = await call('PUT', `/accounts/${owner.id}/api-key`)
      Object.assign(process.env, { TRIBUTARY_URL: site.url, TRIBUTARY_API_KEY: apiKey })
    },
    /** Opens the partner's link in a browser, and waits until the click is counted. */
    async arrive(page: Page) {
      await page.goto(`${site.url}/r/${link.key}/${partner.referralCode}`)
      await page.waitForFunction(() => Boolean(window.tributary?.clickId))
    },
    link: `${site.url}/r/${link.key}/${partner.referralCode}`,
    directLink: `${destinationUrl}?ref=${partner.referralCode}`,
    connect: (provider: string, credentials: object) =>
      call('POST', `/accounts/${owner.id}/payment-providers/connect`, { provider, credentials }) as Promise<{
        webhookUrl: string
      }>,
    /** Waits for a lead, the only one unless an email is given. */
    lead: (email = '') =>
      waitUntil(async () => (await call('GET', `/accounts/${owner.id}/leads?search=${email}`)).items[0]) as Promise<
        Record<string, string>
      >,
    /** Expects sales of these amounts without tax, each credited to the partner, with its commission in the ledger. */
    async expectCommissions(...amounts: number[]) {
      const { items, totals } = await waitUntil(async () => {
        const found = await call('GET', `/accounts/${owner.id}/commissions?sort=createdAt`)
        return found.items.length >= amounts.length && found
      })
      expect(items.map((entry: Record<string, unknown>) => [entry.partnerId, entry.amount])).toEqual(
        amounts.map((amount) => [partner.id, (amount * RATE) / 100]),
      )
      expect(totals.amount).toBe((amounts.reduce((sum, amount) => sum + amount, 0) * RATE) / 100)
    },
  }
}
