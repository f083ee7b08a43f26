import { ids } from '#contract/examples/objects.ts'
import { newId } from '#server/platform/database/ids.ts'
import { expectOk } from '#test/support/app.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import { offered } from './examples.ts'
import { giveRewards } from './server/give-rewards.ts'

// they are read by API alone, or in a portal
export const notCompared = ['downloadFriends', 'downloadReferringCustomers', 'downloadRewards']

export const inPortal = ['getOwnOffer', 'changeOwnOffer', 'listFriends']

export const bodies = { changeOwnOffer: () => ({ showFirstName: true }) }

/** Adds a group of customers, who are given credits. */
function addCustomers({ account, post }: Story, name: string) {
  const reward = { as: 'units', unitName: 'credits', unitValue: 100 }
  const terms = { otherwise: { layerAmounts: [10_00] } }
  return post(`/accounts/${account.id}/groups`, { name, kind: 'customers', reward, terms })
}

export const preparations = {
  /** A customer with a code made at Stripe. */
  async getOffer(story: Story) {
    const { app, account, post } = story
    const { db } = app.services
    const group = await addCustomers(story, 'Friends')
    const jane = { firstName: 'Jane', email: 'jane@app.example', groupId: group.id }
    const partner = await post(`/accounts/${account.id}/partners`, jane)
    const { id } = await post(`/partners/${partner.id}/promotion-codes`, { code: 'KIM20' })
    const rule = { when: 'approval', pattern: '{name}20', couponId: 'friends', percentOff: 20, amountOff: null }
    await db.run`
      with shop as (
        insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
        values (${newId()}, ${account.id}, 'stripe', false, 'acct_offers', ${db.now}) returning id)
      insert into made_codes (id, account_id, shop_id, partner_id, code, made_id, state, rule, created_at)
      select ${id}, ${account.id}, id, ${partner.id}, 'KIM20', 'promo_1', 'on', ${JSON.stringify(rule)}::jsonb, ${db.now} from shop`
    const publicId = await db.value<string>`select public_id from accounts where id = ${account.id}`
    return { instead: { [offered.code]: 'KIM20', [offered.account]: publicId } }
  },

  /** An approved reward in units. */
  async confirmReward(story: Story) {
    const { app, account, post } = story
    const home = `/accounts/${account.id}`
    const group = await addCustomers(story, 'Customers')
    const rita = { firstName: 'Rita', lastName: 'Vale', email: 'rita@app.example', groupId: group.id }
    const partner = await post(`${home}/partners`, rita)
    const lead = await post(`${home}/leads`, { partnerId: partner.id, email: 'friend@app.example' })
    await post(`/leads/${lead.id}/sales`, { amount: 50_00, saleDate: '2026-07-01' })
    await giveRewards(app.services)
    const { items } = expectOk(await app.api('GET', `/partners/${partner.id}/payouts`, { token: account.token })).body
    return { instead: { [ids.payout]: items[0].id } }
  },
} satisfies Record<string, Prepare>
