import { expectOk } from './app.ts'
import { anOwner, type Person, type Site } from './journey.ts'
import { test } from './test.ts'

export let site: Site
export let owner: Person & { id: string }

/** Gives each test of the calling file an owner. */
export function prepareOwner() {
  test.beforeEach(async ({ site: shared }) => {
    site = shared
    owner = await anOwner(site)
  })
}

/** Calls the API as this owner. */
export const callAsOwner = async (method: string, path: string, body?: object) =>
  expectOk(await site.api(method, path, { token: owner.token, body })).body
