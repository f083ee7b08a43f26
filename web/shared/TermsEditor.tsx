import { useState } from 'react'
import type { Pay } from '#contract/terms.ts'
import { payInWords, ruleInWords } from '#contract/terms-in-words.ts'
import { actionsColumn } from '../ui/actions-column.tsx'
import { Button } from '../ui/Button.tsx'
import type { FormWith } from '../ui/contract-form.tsx'
import { FieldPair, MoneyField, useNotes } from '../ui/fields.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { type Column, PlainTable } from '../ui/PlainTable.tsx'
import { basicWords } from '../words/basic.ts'
import { commissionWords } from '../words/commissions.ts'
import { termsWords } from '../words/terms.ts'
import { PayFields } from './PayFields.tsx'
import { NEW_RULE, PayDialog, RuleDialog } from './RuleDialog.tsx'
import { TrySale } from './TrySale.tsx'
import { getPayKind, type TermsAccount, type TermsValue, wordingIn } from './terms.ts'

type Props = {
  form: FormWith<{ terms: TermsValue | null }>
  account: TermsAccount
  /** The partner whose terms these are. */
  partnerId?: string | undefined
  /** Only rates can be saved. */
  ratesOnly?: boolean
}

const MOST_RULES = 20

/** The fields of terms: the pay of each sale, or rules with the pay of all other sales, and caps. */
export function TermsEditor({ form, account, partnerId, ratesOnly = false }: Props) {
  const { field } = form
  const terms = form.values.terms as TermsValue
  const { rules, otherwise } = terms
  const [adding, setAdding] = useState(false)
  const list = field('terms.rules', termsWords.rules)
  const rest = field('terms.otherwise', termsWords.otherwise)
  const kind = getPayKind(otherwise)
  return (
    <>
      {rules.length > 0 ? (
        <Rules form={form} account={account} />
      ) : (
        <PayFields
          kind={kind}
          list={field(`terms.otherwise.${kind}`, commissionWords.allLayers)}
          layerAt={(at, label) => field(`terms.otherwise.${kind}.${at}`, label)}
          onPay={ratesOnly ? undefined : rest.onChange}
          currency={account.defaultCurrency}
          note={commissionWords.newSalesOnly}
        />
      )}
      {!ratesOnly && (
        <div className="row gap-2">
          {rules.length < MOST_RULES && (
            <Button small icon={<PlusIcon size={16} />} onClick={() => setAdding(true)}>
              {termsWords.addRule}
            </Button>
          )}
          <TrySale account={account} terms={terms} partnerId={partnerId} />
        </div>
      )}
      {!ratesOnly && <Caps form={form} account={account} />}
      {adding && (
        <RuleDialog
          heading={termsWords.addRule}
          rule={NEW_RULE}
          account={account}
          onSave={(rule) => list.onChange([...rules, rule])}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

type Row = { key: string; order: string; what: string; pays: string; at: number }

/** The rules in their order, and last the pay of all other sales; each opens a dialog. */
function Rules({ form: { field, values }, account }: Props) {
  const { rules, otherwise } = values.terms as TermsValue
  const list = field('terms.rules', termsWords.rules)
  const rest = field('terms.otherwise', termsWords.otherwise)
  const [edited, setEdited] = useState<number>()
  const { notes } = useNotes(list.id, undefined, list.error ?? rest.error)
  const rule = edited === undefined ? undefined : rules[edited]
  const wording = wordingIn(account.defaultCurrency)
  const rows: Row[] = [
    ...rules.map((rule, at) => ({
      key: String(at),
      order: String(at + 1),
      at,
      what: ruleInWords(rule, wording),
      pays: payInWords(rule, wording),
    })),
    {
      key: 'otherwise',
      order: basicWords.absent,
      at: rules.length,
      what: termsWords.otherwise,
      pays: payInWords(otherwise as Pay, wording),
    },
  ]
  const close = () => setEdited(undefined)

  function move(at: number, by: number) {
    const moved = [...rules]
    moved.splice(at + by, 0, ...moved.splice(at, 1))
    list.onChange(moved)
  }
  function actionsOf({ at }: Row) {
    const edit = { label: termsWords.edit, run: () => setEdited(at) }
    if (at === rules.length) return [edit]
    return [
      edit,
      { label: termsWords.moveUp, disabled: at === 0, run: () => move(at, -1) },
      { label: termsWords.moveDown, disabled: at === rules.length - 1, run: () => move(at, 1) },
      { label: termsWords.remove, danger: true, run: () => list.onChange(rules.filter((_, other) => other !== at)) },
    ]
  }
  const columns: Column<Row>[] = [
    { head: termsWords.columns.order, cell: ({ order }) => order, wideOnly: true },
    { head: termsWords.columns.rule, cell: ({ what }) => <span className="wrap plain">{what}</span> },
    { head: termsWords.columns.pays, numeric: true, under: true, cell: ({ pays }) => <strong>{pays}</strong> },
    actionsColumn(
      ({ at, order }) => (at < rules.length ? termsWords.rule({ number: order }) : termsWords.otherwise),
      actionsOf,
    ),
  ]

  return (
    <div id={list.id} tabIndex={-1}>
      <p className="muted small">{termsWords.rulesHelp}</p>
      <div className="outset">
        <PlainTable label={termsWords.rules} columns={columns} rows={rows} keyOf={({ key }) => key} />
      </div>
      {notes}
      {rule && edited !== undefined && (
        <RuleDialog
          heading={termsWords.editRule}
          rule={rule}
          account={account}
          onSave={(saved) => list.onChange(rules.with(edited, saved))}
          onClose={close}
        />
      )}
      {edited === rules.length && (
        <PayDialog
          heading={termsWords.editOtherwise}
          pay={otherwise}
          account={account}
          onSave={rest.onChange}
          onClose={close}
        />
      )}
    </div>
  )
}

/** The most that a customer's sales or a month pay a partner; offered by a button until there is a rule or a cap. */
function Caps({ form, account: { defaultCurrency: currency } }: Props) {
  const { rules, maxPerCustomer, maxPerMonth } = form.values.terms as TermsValue
  const [shown, setShown] = useState(false)
  if (!shown && rules.length === 0 && maxPerCustomer === null && maxPerMonth === null)
    return (
      <div>
        <Button small icon={<PlusIcon size={16} />} onClick={() => setShown(true)}>
          {termsWords.addCap}
        </Button>
      </div>
    )
  return (
    <div className="stack">
      <h3>{termsWords.caps}</h3>
      <FieldPair>
        <MoneyField {...form.field('terms.maxPerCustomer', termsWords.maxPerCustomer)} currency={currency} optional />
        <MoneyField {...form.field('terms.maxPerMonth', termsWords.maxPerMonth)} currency={currency} optional />
      </FieldPair>
    </div>
  )
}
