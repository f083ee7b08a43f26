import {
  attributeSale,
  changeSale,
  enterExchangeRate,
  getSaleMatch,
  refundSale,
  releaseSale,
  restoreSale,
  voidSale,
} from '#contract/sales.ts'
import { lazyActions } from '../../ui/late-acts.tsx'
import { saleWords } from '../../words/leads.ts'
import { canRefund, isAwaitingRate, isHeld, isUncredited, isVoid } from './sale-actions.ts'

const { actions: labels } = saleWords

/** The owner's actions on a sale. */
export const saleActs = lazyActions(async () => (await import('./SaleActions.tsx')).saleDialogs, {
  refund: { label: labels.refund, needs: refundSale, when: canRefund },
  void: { label: labels.void, needs: voidSale, when: (sale) => !isVoid(sale), danger: true },
  restore: { label: labels.restore, needs: restoreSale, when: isVoid },
  release: { label: labels.release, needs: releaseSale, when: isHeld },
  rate: { label: labels.rate, needs: enterExchangeRate, when: isAwaitingRate },
  match: { label: labels.why, needs: getSaleMatch },
  attribute: { label: labels.attribute, needs: attributeSale, when: isUncredited },
  describe: { label: labels.describe, needs: changeSale },
})
