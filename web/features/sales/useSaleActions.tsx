import type { Sale } from '#contract/sales.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useActs } from '../../ui/useActs.tsx'
import type { SaleAction } from './SaleActions.tsx'

const SaleDialog = lazyPart(async () => (await import('./SaleActions.tsx')).SaleDialog)

/** Returns `start`, which opens an action's dialog, and `dialog`, which the screen must render. */
export function useSaleActions() {
  const { start, dialog } = useActs()
  return {
    start: (action: SaleAction, sale: Sale) => start(SaleDialog, { action, sale }),
    dialog: (
      <>
        <SaleDialog.OnUse />
        {dialog}
      </>
    ),
  }
}
