import { standInLemonSqueezy } from '../fakes/lemon-squeezy.ts'
import { standInPaddle } from '../fakes/paddle.ts'
import { fakeStripe } from '../fakes/stripe.ts'
import { expectOk } from './app.ts'
import { anOwner, aSignedUpPartner, type Person, type Site, startSite } from './journey.ts'
import { test } from './test.ts'

export const SIGNING_SECRET = 'whsec_integrations'

export let site: Site
export let stripe: Awaited<ReturnType<typeof fakeStripe>>
export let paddle: Awaited<ReturnType<typeof standInPaddle>>
export let lemon: Awaited<ReturnType<typeof standInLemonSqueezy>>
export let owner: Person & { id: string; publicId: string }
export let partner: Person & { id: string }

/** Gives each test of the calling file an owner with a partner, on a site with stand-ins for its payment providers. */
export function prepareIntegrations() {
  test.beforeAll(async () => {
    const stores = [
      { id: 1, name: 'Lemon Stand' },
      { id: 2, name: 'Lemon Grove' },
    ]
    ;[stripe, paddle, lemon] = await Promise.all([fakeStripe(), standInPaddle(), standInLemonSqueezy({ stores })])
    site = await startSite({
      ...{ STRIPE_API_URL: stripe.url, PADDLE_API_URL: paddle.url, LEMON_SQUEEZY_API_URL: lemon.url },
      ALLOW_PRIVATE_WEBHOOK_TARGETS: '1',
    })
  })

  test.beforeEach(async () => {
    const made = await anOwner(site)
    owner = { ...made, publicId: (await readAccount(made)).publicId }
    partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane' })
  })

  test.afterAll(async () => {
    await site.end()
    await Promise.all([stripe.close(), paddle.close(), lemon.close()])
  })
}

export const readAccount = async ({ id, token }: { id: string; token: string }) =>
  expectOk(await site.api('GET', `/accounts/${id}`, { token })).body
