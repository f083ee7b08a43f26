import type { Carried } from '../method.ts'
import type { Wise } from './client.ts'

/** Steps between which tests kill the process. */
export type Step =
  | 'attempt-saved'
  | 'quoted'
  | 'quote-saved'
  | 'recipient-made'
  | 'recipient-saved'
  | 'transfer-announced'
  | 'transfer-made'
  | 'transfer-saved'
  | 'funded'
  | 'funding-saved'

/** A payout being processed with the account's token, from the profile selected now. */
export type Work = Omit<Carried, 'onStep'> & {
  onStep: (step: Step) => void | Promise<void>
  wise: Wise
  profileId: string | null
}
