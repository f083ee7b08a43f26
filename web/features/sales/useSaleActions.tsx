import { useState } from 'react'
import type { Sale } from '#contract/sales.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { SaleAction } from './SaleActions.tsx'

const SaleDialog = lazyPart(async () => (await import('./SaleActions.tsx')).SaleDialog)

/** Returns `start`, which opens an action's dialog, and `dialog`, which the screen must render. */
export function useSaleActions() {
  const [open, setOpen] = useState<{ action: SaleAction; of: Sale } | null>(null)
  return {
    start: (action: SaleAction, of: Sale) => setOpen({ action, of }),
    dialog: (
      <>
        <SaleDialog.OnUse />
        {open && <SaleDialog {...open} onClose={() => setOpen(null)} />}
      </>
    ),
  }
}
