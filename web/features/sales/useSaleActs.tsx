import { useState } from 'react'
import type { Sale } from '#contract/sales.ts'
import { later } from '../../ui/later.tsx'
import type { SaleAct } from './SaleActions.tsx'

const SaleDialog = later(async () => (await import('./SaleActions.tsx')).SaleDialog)

/** Returns `start`, which opens an act's dialog, and `dialog`, which the screen must render. */
export function useSaleActs() {
  const [open, setOpen] = useState<{ act: SaleAct; sale: Sale } | null>(null)
  return {
    start: (act: SaleAct, sale: Sale) => setOpen({ act, sale }),
    dialog: (
      <>
        <SaleDialog.OnUse />
        {open && <SaleDialog {...open} onClose={() => setOpen(null)} />}
      </>
    ),
  }
}
