import { useState } from 'react'
import { type MaskedDetails, usStates } from '#contract/payout-settings.ts'
import { formatCountry, formatLongDateTime } from '../../format.ts'
import { depositLine } from '../../shared/deposit-line.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { fieldWords } from '../../words/fields.ts'
import { pieceWords } from '../../words/pieces.ts'
import { settingsWords } from '../../words/settings.ts'

const RemoveDeposit = lazyComponent(async () => (await import('./RemoveDeposit.tsx')).RemoveDeposit)

type Of<Kind extends string> = Extract<MaskedDetails, { kind: Kind }>
type UsBank = Exclude<MaskedDetails, { kind: string }>
type Props = { partnerId: string; deposit: MaskedDetails; updatedAt: string | null; onReplace: () => void }

/** The saved details as returned by the server: only the last four digits of numbers. */
export function SavedDeposit({ partnerId, deposit, updatedAt, onReplace }: Props) {
  const { timeZone } = useAccount()
  const [removing, setRemoving] = useState(false)
  const facts: Fact[] = [
    ...factsOf(deposit),
    updatedAt && { label: settingsWords.deposit.changed, value: formatLongDateTime(updatedAt, timeZone) },
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

function factsOf(deposit: MaskedDetails): Fact[] {
  const words = settingsWords.deposit
  if ('kind' in deposit && deposit.kind !== 'iban') return [{ label: fieldWords.account, value: depositLine(deposit) }]
  const holder = [
    { label: words.legalType, value: words[deposit.legalType] },
    { label: words.name, value: deposit.name },
  ]
  if ('kind' in deposit)
    return [
      ...holder,
      { label: words.iban, value: <code>{deposit.iban}</code> },
      deposit.bic && { label: words.bic, value: <code>{deposit.bic}</code> },
      { label: fieldWords.address, value: euroLineOf(deposit.address) },
    ]
  return [
    ...holder,
    { label: words.routingNumber, value: <code>{deposit.routingNumber}</code> },
    { label: words.accountNumber, value: <code>{deposit.accountNumber}</code> },
    { label: words.accountType, value: words[deposit.accountType] },
    { label: fieldWords.address, value: lineOf(deposit.address) },
  ]
}

const euroLineOf = ({ addressLine, city, zipCode, country }: Of<'iban'>['address']) =>
  `${addressLine}, ${zipCode} ${city}, ${formatCountry(country)}`

function lineOf({ addressLine, city, state, zipCode }: UsBank['address']) {
  const name = usStates.find(({ code }) => code === state)?.name ?? state.toUpperCase()
  return `${addressLine}, ${city}, ${name} ${zipCode}, ${pieceWords.countries.us}`
}
