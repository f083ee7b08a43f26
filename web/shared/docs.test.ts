import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { test } from 'node:test'
import { withLanguage } from '#contract/language.ts'
import { aboutOthers, aboutPage, firstDocsPage } from './docs.ts'

test('each screen has its page of the docs, others the one their role starts from', () => {
  for (const [role, path, tab, page] of [
    ['account-owner', '/account/settings', 'commission', '/docs/concepts/terms'],
    ['account-owner', '/payouts', undefined, '/docs/concepts/payouts'],
    ['account-owner', '/payouts', 'books', '/docs/concepts/books'],
    ['account-manager', '/cases', undefined, '/docs/concepts/fraud'],
    ['account-owner', '/integrations/embed-code', undefined, '/docs/integrations/embed-script'],
    ['account-owner', '/account/import', undefined, '/docs/moving'],
    ['account-finance', '/dashboard', undefined, '/docs/finance'],
    ['partner', '/leads', undefined, '/docs/partners'],
    ['partner', '/partner/settings', undefined, '/docs/partners#getting-paid'],
    ['admin', '/admin/accounts', undefined, '/docs/self-hosting'],
  ] as const)
    assert.equal(aboutPage(role, path, tab), page, `${role} ${path} ${tab}`)
})

test('the page for partners is the one in the reader’s language, other pages are English', () => {
  for (const [language, page] of [
    ['de-AT', '/docs/partners.de'],
    ['pt-PT', '/docs/partners.pt-br'],
    ['pl', '/docs/partners'],
  ] as const)
    withLanguage(language, () => {
      assert.equal(firstDocsPage('partner'), page)
      assert.equal(aboutPage('partner', '/leads', undefined), page)
      assert.equal(aboutPage('partner', '/partner/settings', undefined), `${page}#getting-paid`)
      assert.equal(firstDocsPage('admin'), '/docs/self-hosting')
    })
})

test('each of these pages exists', async () => {
  assert.ok(Object.keys(aboutOthers).length > 5)
  for (const name of ['applications', ...Object.keys(aboutOthers)]) {
    const page = aboutPage('account-owner', `/${name}`, undefined)
    await access(new URL(`../..${page}.md`, import.meta.url))
  }
})
