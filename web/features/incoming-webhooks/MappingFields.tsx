import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { type IncomingSender, type IncomingWebhook, partnerMatches, transforms } from '#contract/incoming-webhooks.ts'
import { leadStatuses } from '#contract/leads.ts'
import { parseMoney } from '#contract/typed-numbers.ts'
import { formatMoney } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { badgeWords } from '../../words/badges.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import styles from './MappingFields.module.css'
import {
  isMapped,
  MOST_REPLACED,
  mappingFieldLabel,
  matchesPartner,
  NO_REPLACEMENT,
  type RuleValues,
  toRules,
} from './mapping.ts'
import { PathList } from './PathList.tsx'
import { rehearsalQuery } from './queries.ts'
import type { MappingForm } from './useMappingForm.ts'

type Props = {
  webhook: IncomingWebhook
  sender: IncomingSender | undefined
  /** The sample that is selected. */
  sample: unknown
  form: MappingForm
  at: number
  shown: boolean
  suggests: boolean
}

const NONE: IncomingWebhook['guesses'] = []
const NO_QUESTIONS: IncomingWebhook['questionsByRule'][number] = []

/** The fields of each target that a new rule shows, even if nothing is read for them yet. */
const needed: Record<RuleValues['target'], readonly string[]> = {
  lead: ['email'],
  sale: ['externalId', 'email', 'amount', 'currency'],
  refund: ['externalId', 'saleExternalId', 'amount'],
  'lead-status': ['email', 'status'],
}

/** Fields with amounts in minor units. */
const amounts: readonly string[] = ['amount', 'grossAmount', 'taxAmount', 'shippingAmount', 'refundedTotal']

/** Maps each field of a rule's target to a path of the payload, and shows the value it reads from the sample. */
export function MappingFields({ webhook, sender, sample, form, at, shown, suggests }: Props) {
  const rule = form.values.rules[at]!
  const saved = webhook.rules.findIndex(({ name, target }) => name === rule.name && target === rule.target)
  const guesses = webhook.guessesByRule[saved] ?? NONE
  const questions = webhook.questionsByRule[saved] ?? NO_QUESTIONS
  const open = sender?.open ?? []
  const paths = useId()
  const results = useResults({ ...webhook, sample }, rule, shown)
  const isNew = (field: string) => !webhook.rules[saved]?.mapping.some((one) => one.field === field)
  const isGuessed = (field: string, path: string) =>
    isNew(field) && guesses.some((guess) => guess.field === field && guess.path === path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing in a field must not move it
  const used = useMemo(() => {
    const mapped = rule.mapping.filter(isMapped)
    const isBlank = (webhook.rules[saved]?.mapping ?? mapped).length === 0
    const fields = [...mapped, ...(isBlank || suggests ? [...guesses, ...questions] : [])].map(({ field }) => field)
    return new Set([...fields, ...(isBlank ? needed[rule.target] : [])])
  }, [guesses, questions, rule.name])

  const rowOf = (field: string) => {
    const place = rule.mapping.findIndex((row) => row.field === field)
    const row = rule.mapping[place]
    return (
      row && (
        <Row
          key={field}
          form={form}
          place={`rules.${at}.mapping.${place}`}
          row={row}
          paths={paths}
          guessed={isGuessed(field, row.path)}
          asked={questions.find((one) => one.field === field)}
          results={results}
        />
      )
    )
  }
  const isOpen = (field: string) => open.includes(field)
  const fixed = rule.mapping.map(({ field }) => field).filter((field) => !isOpen(field))
  const hasOpen = fixed.length < rule.mapping.length || (matchesPartner(rule) && isOpen('partnerMatch'))
  const match = matchesPartner(rule) && (
    <Match
      form={form}
      at={at}
      paths={paths}
      guessed={!webhook.rules[saved]?.partnerMatch && isGuessed('referralCode', rule.partnerMatch.path)}
    />
  )
  return (
    <FormPanel heading={incomingWebhookWords.fieldsOf[rule.target]} help={incomingWebhookWords.mappingHelp}>
      <PathList id={paths} sample={sample} each={rule.each} />
      {hasOpen && (
        <div className={`stack ${styles.open}`}>
          <p>{incomingWebhookWords.open}</p>
          {open.map(rowOf)}
          {isOpen('partnerMatch') && match}
        </div>
      )}
      <div className="stack">
        {fixed.filter((field) => used.has(field)).map(rowOf)}
        {!isOpen('partnerMatch') && match}
      </div>
      {!fixed.every((field) => used.has(field)) && (
        <MoreOptions form={form}>{fixed.filter((field) => !used.has(field)).map(rowOf)}</MoreOptions>
      )}
    </FormPanel>
  )
}

type Results = { values: Record<string, unknown>; fields: Record<string, string> | null }

/** Returns what a rule, as entered, reads from the sample, whether it applies or not. */
function useResults({ id, sample }: IncomingWebhook, rule: RuleValues, shown: boolean): Results | undefined {
  const sent = useDebounced(JSON.stringify(toRules([{ ...rule, name: incomingWebhookWords.ruleName, when: [] }])), 400)
  const { data } = useQuery({
    ...rehearsalQuery(id, { payload: sample as object as Record<string, unknown>, rules: JSON.parse(sent) }),
    enabled: sample !== null && shown,
    placeholderData: (before) => before,
  })
  return sample === null ? undefined : data
}

type RowProps = {
  form: MappingForm
  /** Its path in the form. */
  place: `rules.${number}.mapping.${number}`
  row: RuleValues['mapping'][number]
  paths: string
  guessed: boolean
  /** Its likely path and amount, if that may be of either unit. */
  asked: IncomingWebhook['questionsByRule'][number][number] | undefined
  results: Results | undefined
}

function Row({ form, place, row, paths, guessed, asked, results }: RowProps) {
  const { field } = form
  const name = mappingFieldLabel(row.field)
  const transform = field(`${place}.transform`, incomingWebhookWords.transformOf({ field: name }))
  function settle(unit: 'cents' | 'number') {
    if (row.path === '' && asked) field(`${place}.path`, name).onChange(asked.path)
    transform.onChange(unit)
    // the button that had the focus is gone
    document.getElementById(transform.id)?.focus()
  }
  return (
    <div className={`grid gap-3 ${styles.field}`}>
      {row.transform === 'constant' ? (
        <TextField {...field(`${place}.default`, incomingWebhookWords.valueOf({ field: name }))} />
      ) : (
        <PathField
          {...field(`${place}.path`, incomingWebhookWords.pathOf({ field: name }))}
          paths={paths}
          guessed={guessed}
        />
      )}
      <SelectField
        {...transform}
        onChange={(next) => next && transform.onChange(next)}
        choices={transforms.map((value) => ({ value, label: incomingWebhookWords.transforms[value] }))}
      />
      {results && <Result name={row.field} isRead={isMapped(row)} {...results} />}
      {results && row.transform === 'none' && amounts.includes(row.field) && (
        <AskUnit
          name={name}
          {...results}
          value={row.path === '' ? asked?.value : results.values[row.field]}
          choose={settle}
        />
      )}
      {(row.values.length > 0 || (row.field === 'status' && isMapped(row))) && (
        <Replacements form={form} place={place} row={row} />
      )}
      {row.transform !== 'constant' && row.path !== '' && <Fallback form={form} place={place} name={name} />}
    </div>
  )
}

type UnitProps = Pick<Results, 'values'> & { name: string; value: unknown; choose: (unit: 'cents' | 'number') => void }

/** The question whether a whole number is an amount or its minor units; nothing if it can't be either. */
function AskUnit({ name, values, value, choose }: UnitProps) {
  const account = useAccount()
  const currency = /^[a-z]{3}$/i.exec(String(values.currency))?.[0].toLowerCase() ?? account.defaultCurrency
  const text = String(value ?? '').trim()
  const [minor, whole] = [Number(text), parseMoney(text, currency)]
  if (!/^-?\d{1,12}$/.test(text) || whole === null || minor === whole) return null
  const choices = [
    ['cents', whole],
    ['number', minor],
  ] as const
  return (
    <Below>
      <fieldset className="row" aria-label={incomingWebhookWords.unitOf({ field: name })}>
        <span>{incomingWebhookWords.unit({ value: text })}</span>
        {choices.map(([unit, amount]) => (
          <Button key={unit} small onClick={() => choose(unit)}>
            {formatMoney(amount, currency, account.defaultCurrency)}
          </Button>
        ))}
      </fieldset>
    </Below>
  )
}

/** The texts that replace those of another system, such as its stages. */
function Replacements({ form: { field }, place, row }: Pick<RowProps, 'form' | 'place' | 'row'>) {
  return (
    <Below>
      <RowsField
        field={field(`${place}.values`, incomingWebhookWords.replacementsOf({ field: mappingFieldLabel(row.field) }))}
        blank={NO_REPLACEMENT}
        most={MOST_REPLACED}
        words={{
          row: (number) => incomingWebhookWords.replacementAt({ number }),
          add: incomingWebhookWords.addReplacement,
          remove: (number) => incomingWebhookWords.removeReplacement({ number }),
        }}
      >
        {(which) => {
          const to = field(`${place}.values.${which}.to`, incomingWebhookWords.replacement)
          return (
            <>
              <TextField {...field(`${place}.values.${which}.from`, incomingWebhookWords.sentValue)} />
              {row.field === 'status' ? (
                <SelectField
                  {...to}
                  onChange={(next) => to.onChange(next ?? '')}
                  placeholder={basicWords.absent}
                  choices={leadStatuses.map((value) => ({ value, label: badgeWords.lead[value] }))}
                />
              ) : (
                <TextField {...to} />
              )}
            </>
          )
        }}
      </RowsField>
    </Below>
  )
}

const Below = ({ children }: { children: ReactNode }) => <div className={styles.below}>{children}</div>

/** The value to use if the path finds nothing; hidden behind a button until there is one. */
function Fallback({ form, place, name }: Pick<RowProps, 'form' | 'place'> & { name: string }) {
  const [isAsked, ask] = useState(false)
  const field = form.field(`${place}.default`, incomingWebhookWords.defaultOf({ field: name }))
  if (!isAsked && field.value === '') {
    return (
      <Below>
        <Button
          small
          look="quiet"
          aria-label={incomingWebhookWords.addDefaultOf({ field: name })}
          onClick={() => ask(true)}
        >
          {incomingWebhookWords.addDefault}
        </Button>
      </Below>
    )
  }
  return (
    <Below>
      <TextField {...field} autoFocus={isAsked} help={incomingWebhookWords.defaultHelp} />
    </Below>
  )
}

type PathProps = React.ComponentProps<typeof TextField> & { paths: string; guessed: boolean }

/** A path, chosen from the sample's or typed. */
const PathField = ({ paths, guessed, ...field }: PathProps) => (
  <div className={guessed ? styles.guessed : undefined}>
    <TextField
      {...field}
      list={paths}
      spellCheck={false}
      right={guessed && <span className={`muted small ${styles.guess}`}>{incomingWebhookWords.guess}</span>}
    />
  </div>
)

/** The value that is read, or why there is none. */
function Result({ name, isRead, values, fields }: Results & { name: string; isRead: boolean }) {
  const value = values[name]
  const [tone, text] = !isRead
    ? ['muted', basicWords.absent]
    : value !== undefined
      ? ['', String(value)]
      : fields?.[name]
        ? ['error', fields[name]]
        : ['muted', incomingWebhookWords.notInSample]
  return <p className={`wrap ${tone} ${styles.result}`}>{text}</p>
}

function Match({
  form: { field, values },
  at,
  paths,
  guessed,
}: Pick<RowProps, 'form' | 'paths' | 'guessed'> & { at: number }) {
  return (
    <div className={`grid gap-3 ${styles.field}`}>
      <SelectField
        {...field(`rules.${at}.partnerMatch.by`, incomingWebhookWords.matchBy)}
        placeholder={incomingWebhookWords.matchNone}
        choices={partnerMatches.map((value) => ({ value, label: incomingWebhookWords.matches[value] }))}
      />
      {values.rules[at]?.partnerMatch.by && (
        <PathField
          {...field(`rules.${at}.partnerMatch.path`, incomingWebhookWords.pathOf({ field: labelWords.partner }))}
          paths={paths}
          guessed={guessed}
        />
      )}
    </div>
  )
}
