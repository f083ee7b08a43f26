import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type IncomingWebhook, partnerMatches, transforms } from '#contract/incoming-webhooks.ts'
import { type Json, leavesOf } from '#contract/payload-paths.ts'
import { Button } from '../../ui/Button.tsx'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import styles from './MappingFields.module.css'
import { isGuessed, type MappingValues, mappingFieldLabel, matchesPartner, sentOf } from './mapping.ts'
import { rehearsal } from './queries.ts'

type Props = {
  webhook: IncomingWebhook
  /** The sample that is selected. */
  sample: unknown
  form: FormWith<MappingValues>
  /** The id of the datalist of the sample's paths. */
  paths: string
}

/** Maps each field of the target to a path of the payload, and shows the value it reads from the sample. */
export function MappingFields({ webhook, sample, form, paths }: Props) {
  const { target } = webhook
  const results = useResults({ ...webhook, sample }, form.values)
  return (
    <FormPanel heading={incomingWebhookWords.fieldsOf[target]} help={incomingWebhookWords.mappingHelp}>
      <div className="stack">
        {form.values.mapping.map((row, at) => (
          <Row key={row.field} form={form} at={at} paths={paths} guessed={isGuessed(webhook, row)} results={results} />
        ))}
        {matchesPartner(webhook) && (
          <Match
            form={form}
            paths={paths}
            guessed={isGuessed(webhook, { field: 'referralCode', path: form.values.partnerMatch.path })}
          />
        )}
      </div>
    </FormPanel>
  )
}

/** The sample's paths as a datalist for the path fields. */
export const PathList = ({ id, sample }: { id: string; sample: unknown }) => (
  <datalist id={id}>
    {leavesOf(sample as Json).map(({ path, value }) => (
      <option key={path} value={path} label={value} />
    ))}
  </datalist>
)

type Results = { values: Record<string, unknown>; fields: Record<string, string> | null }

/** Returns what the mapping, as entered, reads from the sample. */
function useResults({ id, sample }: IncomingWebhook, values: MappingValues): Results | undefined {
  const sent = useDebounced(JSON.stringify(sentOf(values)), 400)
  const { data } = useQuery({
    ...rehearsal(id, { payload: sample, ...JSON.parse(sent) }),
    enabled: sample !== null,
    placeholderData: (before) => before,
  })
  return sample === null ? undefined : data
}

type RowProps = {
  form: FormWith<MappingValues>
  at: number
  paths: string
  guessed: boolean
  results: Results | undefined
}

function Row({ form, at, paths, guessed, results }: RowProps) {
  const { field } = form
  const row = form.values.mapping[at]
  if (!row) return null
  const name = mappingFieldLabel(row.field)
  const transform = field(`mapping.${at}.transform`, incomingWebhookWords.transformOf({ field: name }))
  return (
    <div className={`grid gap-3 ${styles.field}`}>
      {row.transform === 'constant' ? (
        <TextField {...field(`mapping.${at}.default`, incomingWebhookWords.valueOf({ field: name }))} />
      ) : (
        <PathField
          {...field(`mapping.${at}.path`, incomingWebhookWords.pathOf({ field: name }))}
          paths={paths}
          guessed={guessed}
        />
      )}
      <SelectField
        {...transform}
        onChange={(next) => next && transform.onChange(next)}
        choices={transforms.map((value) => ({ value, label: incomingWebhookWords.transforms[value] }))}
      />
      {results && <Result name={row.field} isRead={row.path !== '' || row.transform === 'constant'} {...results} />}
      {row.transform !== 'constant' && row.path !== '' && <Fallback form={form} at={at} name={name} />}
    </div>
  )
}

/** The value to use if the path finds nothing; hidden behind a button until there is one. */
function Fallback({ form, at, name }: Pick<RowProps, 'form' | 'at'> & { name: string }) {
  const [isAsked, ask] = useState(false)
  const field = form.field(`mapping.${at}.default`, incomingWebhookWords.defaultOf({ field: name }))
  if (!isAsked && field.value === '') {
    return (
      <div className={styles.fallback}>
        <Button
          small
          look="quiet"
          aria-label={incomingWebhookWords.addDefaultOf({ field: name })}
          onClick={() => ask(true)}
        >
          {incomingWebhookWords.addDefault}
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.fallback}>
      <TextField {...field} autoFocus={isAsked} help={incomingWebhookWords.defaultHelp} />
    </div>
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

function Result({ name, isRead, values, fields }: Results & { name: string; isRead: boolean }) {
  const value = values[name]
  const [tone, text] = !isRead
    ? ['muted', basicWords.absent]
    : fields?.[name]
      ? ['error', fields[name]]
      : value === undefined
        ? ['muted', incomingWebhookWords.notInSample]
        : ['', String(value)]
  return <p className={`wrap ${tone} ${styles.result}`}>{text}</p>
}

function Match({ form, paths, guessed }: Pick<RowProps, 'form' | 'paths' | 'guessed'>) {
  const { field } = form
  return (
    <div className={`grid gap-3 ${styles.field}`}>
      <SelectField
        {...field('partnerMatch.by', incomingWebhookWords.matchBy)}
        placeholder={incomingWebhookWords.matchNone}
        choices={partnerMatches.map((value) => ({ value, label: incomingWebhookWords.matches[value] }))}
      />
      {form.values.partnerMatch.by && (
        <PathField
          {...field('partnerMatch.path', incomingWebhookWords.pathOf({ field: labelWords.partner }))}
          paths={paths}
          guessed={guessed}
        />
      )}
    </div>
  )
}
