// A sample: the server of an app with “Refer a friend”, whose customers are given credits of its own. In a project of
// your own, import from 'tributary-client'.
import { Tributary } from './src/index.ts'

type User = { id: string; email: string; referredBy?: string }
type Invoice = { id: string; userId: string; amount: number; currency: string }

type Settings = {
  baseUrl: string
  /** A key with the rights Partners, Push data and Rewards. */
  apiKey: string
  accountId: string
  /** The group for customers. */
  groupId: string
  /** Adds credits to a customer once per transaction id: a repeat with the same id changes nothing. */
  grant: (userId: string, credits: number, transactionId: string) => void | Promise<void>
}

export function referAFriend({ baseUrl, apiKey, accountId, groupId, grant }: Settings) {
  const tributary = new Tributary({ baseUrl, apiKey, token: apiKey })

  return {
    /** Enrolls a customer who opens the page, and returns the code of their link. Calling it again changes nothing. */
    async openPage({ id, email }: User): Promise<string> {
      const { referralCode } = await tributary.partners.upsert(accountId, id, { email, groupId })
      return referralCode
    },

    /** Reports a new customer, with the code that brought them. */
    async signUp({ id, email, referredBy }: User) {
      await tributary.push.leads({ externalId: id, email, ...(referredBy && { referralCode: referredBy }) })
    },

    /** Reports a paid invoice, unless a payment provider is connected. */
    async pay({ id, userId, amount, currency }: Invoice) {
      await tributary.push.sales({ externalId: id, leadExternalId: userId, amount, currency })
    },

    /** Grants what is due and acknowledges it; run it every few minutes, or when `payout.approved` arrives. */
    async giveDueRewards() {
      for await (const { id, externalId, units } of tributary.rewards.list(accountId, { status: 'due' })) {
        if (!id || !externalId || !units) continue
        await grant(externalId, units, id)
        await tributary.rewards.confirm(id, { reference: id })
      }
    },
  }
}
