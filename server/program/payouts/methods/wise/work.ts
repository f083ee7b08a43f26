import type { Carried } from '../method.ts'
import type { Wise } from './client.ts'

/** The moments between which a process may die; tests let it die there. */
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

/** A payout that is carried with the account's token, from the profile that is chosen now. */
export type Work = Omit<Carried, 'onStep'> & {
  onStep: (step: Step) => void | Promise<void>
  wise: Wise
  profileId: string | null
}
