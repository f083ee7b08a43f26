import { useState } from 'react'
import { type PayoutSettings, usStates } from '#contract/payout-settings.ts'
import { formatLongDateTime } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { fieldWords } from '../../words/fields.ts'
import { pieceWords } from '../../words/pieces.ts'
import { settingsWords } from '../../words/settings.ts'
import { factsElsewhere } from './facts-elsewhere.tsx'

const RemoveDeposit = lazyPart(async () => (await import('./RemoveDeposit.tsx')).RemoveDeposit)

type Deposit = NonNullable<PayoutSettings['depositInfo']>
type UsDeposit = Extract<Deposit, { routingNumber: string }>
type Props = { partnerId: string; deposit: Deposit; updatedAt: string | null; onReplace: () => void }

/** The saved details as returned by the server: only the last four digits of numbers. */
export function SavedDeposit({ partnerId, deposit, updatedAt, onReplace }: Props) {
  const { timeZone } = useAccount()
  const [removing, setRemoving] = useState(false)
  const facts: Fact[] = [
    ...('routingNumber' in deposit ? factsOf(deposit) : factsElsewhere(deposit)),
    ...(updatedAt ? [{ label: settingsWords.deposit.changed, value: formatLongDateTime(updatedAt, timeZone) }] : []),
  ]
  return (
    <>
      <Facts beside label={settingsWords.deposit.heading} facts={facts} />
      <div className="row">
        <Button onClick={onReplace}>{settingsWords.deposit.replace}</Button>
        <Button look="remove" onClick={() => setRemoving(true)}>
          {settingsWords.deposit.remove}
        </Button>
      </div>
      <p className="muted small">{settingsWords.deposit.consequence}</p>
      {removing && <RemoveDeposit partnerId={partnerId} onClose={() => setRemoving(false)} />}
    </>
  )
}

const factsOf = (deposit: UsDeposit): Fact[] => [
  { label: settingsWords.deposit.legalType, value: settingsWords.deposit[deposit.legalType] },
  { label: settingsWords.deposit.name, value: deposit.name },
  { label: settingsWords.deposit.routingNumber, value: <code>{deposit.routingNumber}</code> },
  { label: settingsWords.deposit.accountNumber, value: <code>{deposit.accountNumber}</code> },
  { label: settingsWords.deposit.accountType, value: settingsWords.deposit[deposit.accountType] },
  { label: fieldWords.address, value: lineOf(deposit.address) },
]

function lineOf({ addressLine, city, state, zipCode }: UsDeposit['address']) {
  const name = usStates.find(({ code }) => code === state)?.name ?? state.toUpperCase()
  return `${addressLine}, ${city}, ${name} ${zipCode}, ${pieceWords.countries.us}`
}
