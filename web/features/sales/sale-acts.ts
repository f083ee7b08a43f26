import {
  changeSale,
  enterExchangeRate,
  getSaleMatch,
  refundSale,
  releaseSale,
  restoreSale,
  voidSale,
} from '#contract/sales.ts'
import { lateActs } from '../../ui/late-acts.tsx'
import { saleWords } from '../../words/leads.ts'
import { canRefund, isHeld, isVoid, waitsForRate } from './possible.ts'

const { actions: labels } = saleWords

/** The owner's actions on a sale. */
export const saleActs = lateActs(async () => (await import('./SaleActions.tsx')).saleDialogs, {
  refund: { label: labels.refund, needs: refundSale, when: canRefund },
  void: { label: labels.void, needs: voidSale, when: (sale) => !isVoid(sale), danger: true },
  restore: { label: labels.restore, needs: restoreSale, when: isVoid },
  release: { label: labels.release, needs: releaseSale, when: isHeld },
  rate: { label: labels.rate, needs: enterExchangeRate, when: waitsForRate },
  match: { label: labels.why, needs: getSaleMatch },
  describe: { label: labels.describe, needs: changeSale },
})
