import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useReceipts } from '../shared/MoneyLink.tsx'
import { AccountGate } from '../shell/AccountGate.tsx'
import { withinTwoMinutes } from '../ui/load-limit.ts'

const ReceiptDialog = lazyRouteComponent(
  () => withinTwoMinutes(import('../features/sales/ReceiptDialog.tsx')),
  'ReceiptDialog',
)

/** The screens of an account, with the receipt of a pressed amount on top. */
export const ScreensWithReceipts = () => <AccountGate above={<OpenReceipt />} />

function OpenReceipt() {
  const { opened, close } = useReceipts()
  return (
    <Suspense fallback={null}>{opened && <ReceiptDialog key={opened} entryId={opened} onClose={close} />}</Suspense>
  )
}
