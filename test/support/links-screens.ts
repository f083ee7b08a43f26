import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person } from './journey.ts'
import type { SharedSite } from './populated-account.ts'
import { test } from './test.ts'

export let site: SharedSite
export let owner: Person & { id: string }
export let jane: Person & { id: string }
export let shopAddress: string
let shop: Server

/** Gives each test of the calling file an owner with a partner, Jane, and a site of the owner's own. */
export function prepareLinks() {
  test.beforeAll(async ({ site: shared }) => {
    // The owner's own site: a page, a redirect that preserves the query, one that loses it, and a missing page.
    shop = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://shop.example')
      if (pathname === '/moved') return response.writeHead(302, { location: `/pricing${search}` }).end()
      if (pathname === '/lost') return response.writeHead(302, { location: '/pricing' }).end()
      if (pathname === '/gone') return response.writeHead(404).end()
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Pricing</title>')
    })
    await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve))
    shopAddress = `http://localhost:${(shop.address() as AddressInfo).port}`
    site = shared
  })

  test.beforeEach(async () => {
    owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10, 5] } })
    jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane' })
  })

  test.afterAll(() => void shop.close())
}

export const apiGet = async (path: string) => expectOk(await site.api('GET', path, { token: owner.token })).body
export const apiPost = async (path: string, body: object, token = owner.token) =>
  expectOk(await site.api('POST', path, { token, body })).body
export const aLink = (name: string, fields: object = {}) =>
  apiPost(`/accounts/${owner.id}/link-blueprints`, { name, destinationUrl: `${shopAddress}/pricing`, ...fields })
