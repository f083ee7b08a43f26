import type { Prepare, Story } from '#test/support/operations.ts'
import { rehearsalId } from './examples.ts'

export const preparations = {
  async getRehearsal({ account, post }: Story) {
    const { id } = await post(`/accounts/${account.id}/rehearsals`, {})
    return { instead: { [rehearsalId]: id } }
  },
} satisfies Record<string, Prepare>

export const requiredRights = { startRehearsal: 'earn' }

export const limitNames = { rehearsal: 'rehearsals of a sale' }
