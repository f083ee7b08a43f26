import { refusal } from '../../../../platform/refusal.ts'
import { GONE } from '../method.ts'
import { type Profile, WiseError } from './client.ts'
import { type Reach, wiseWith } from './connection.ts'
import { wiseIsAway } from './settings.ts'

/**
 * Returns the profiles that a token can access; the token is neither stored nor logged. Refuses: `unauthenticated` if
 * Wise rejects it.
 */
export async function listWiseProfiles(reach: Reach, authorization: string): Promise<{ items: Profile[] }> {
  const [, token] = /^wise:\s*([\x21-\x7e]{1,500})$/i.exec(authorization) ?? []
  if (!token) throw refusal('wise_token_not_sent')
  try {
    return { items: await wiseWith(reach, token).profiles() }
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (error.status === GONE) throw refusal('wise_not_served', { said: error.message })
    if (error.kind === 'unauthorized' || error.kind === 'forbidden') throw refusal('wise_token_rejected')
    throw wiseIsAway(error)
  }
}
