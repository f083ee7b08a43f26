import { Refusal } from '../../../../platform/refusal.ts'
import type { Services } from '../../../../platform/services.ts'
import { type Profile, WiseError } from './client.ts'
import { wiseWith } from './connection.ts'
import { wiseIsAway } from './settings.ts'

/** The profiles a token sees; the token is neither kept nor logged. Refuses: `unauthenticated` where Wise does. */
export async function listWiseProfiles(services: Services, authorization: string): Promise<{ items: Profile[] }> {
  const [, token] = /^wise:\s*([\x21-\x7e]{1,500})$/i.exec(authorization) ?? []
  if (!token) throw new Refusal('unauthenticated', 'Send the API token as `Authorization: wise:{token}`.')
  try {
    return { items: await wiseWith(services, token).profiles() }
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (error.kind === 'unauthorized' || error.kind === 'forbidden')
      throw new Refusal('unauthenticated', 'Wise rejected this API token.')
    throw wiseIsAway(error)
  }
}
