import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { LocalBankDetails } from '#contract/payout-details.ts'
import { draftPayoutForm, type PayoutField, type PayoutFieldSet } from '#contract/payout-form.ts'
import { CallError, call } from '../../api.ts'
import { localBankForm } from '../../shared/queries.ts'
import { Form, FormPanel } from '../../ui/contract-form.tsx'
import { DateField, SelectField, TextField } from '../../ui/fields.tsx'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type FieldProps, useForm } from '../../ui/use-form.ts'
import { basicWords } from '../../words/basic.ts'
import { payoutDetailsWords as words } from '../../words/payout-details.ts'
import { DetailsEnd, type DetailsFormProps, useSavingDetails } from './details-form.tsx'
import { bringsMore, emptyFields, enteredFields, fieldAt, type LocalFields, withField } from './local-fields.ts'

type Props = DetailsFormProps & { country: string; currency: string }

/** A partner's bank account elsewhere: the fields that the program's payout provider asks for there. */
export function LocalForm(props: Props) {
  const { partnerId, country, currency } = props
  const { data, error, refetch, isFetching } = useQuery(localBankForm(partnerId, { country, currency }))
  if (data) return <LocalFieldsForm {...props} first={data.types} />
  return (
    <Panel>
      {error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={8} />}
    </Panel>
  )
}

type Values = { type: string; fields: LocalFields; currentPassword: string }

function LocalFieldsForm({ first, ...props }: Props & { first: PayoutFieldSet[] }) {
  const { heading, partnerId, asksPassword, onCancel, country, currency } = props
  const { submit, save, passwordMissing } = useSavingDetails(props)
  const [types, setTypes] = useState(first)
  const [initial] = useState<Values>(() => {
    const [one] = first
    return { type: one?.type ?? '', fields: one ? emptyFields(one, country) : {}, currentPassword: '' }
  })
  const form = useForm<Values>({
    initial,
    check: ({ type, fields, currentPassword }) => ({
      ...mistakesIn(types.find((one) => one.type === type)?.fields ?? [], fields),
      currentPassword: passwordMissing(currentPassword),
    }),
  })
  const asked = types.find(({ type }) => type === form.values.type)
  const body = (values: Values): LocalBankDetails => ({
    ...{ kind: 'local-bank', country, currency, type: values.type },
    fields: enteredFields(types.find(({ type }) => type === values.type)?.fields ?? [], values.fields),
  })

  /** Of several drafts under way, the last one counts. A refused one changes nothing: saving says what is wrong. */
  const drafts = useRef(0)
  async function refresh(values: Values) {
    const mine = ++drafts.current
    try {
      const { types: next } = await call(draftPayoutForm, { params: { id: partnerId }, body: body(values) })
      if (mine === drafts.current && next.some(({ type }) => type === values.type)) setTypes(next)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
    }
  }

  /** The country that it begins with may bring fields. */
  useEffect(() => {
    const [one] = first
    if (one && bringsMore(one, initial.fields)) void refresh(initial)
  }, [])

  const typeField = form.field('type', words.accountType)
  return (
    <Form
      form={{
        ...form,
        check: () => {
          const values = form.check()
          return values && { body: body(values), changes: {} }
        },
      }}
      save={save}
      label={heading}
      onSubmit={(sent) => submit(sent, form.values.currentPassword)}
    >
      <FormPanel heading={heading}>
        {types.length > 1 && (
          <SelectField
            {...typeField}
            choices={types.map(({ type, title }) => ({ value: type, label: title }))}
            onChange={(type) => type && typeField.onChange(type)}
          />
        )}
        {asked?.fields.map((one) => {
          const field = form.field(`fields.${one.key}` as 'fields', one.label) as unknown as FieldProps<string>
          return (
            <LocalField
              key={one.key}
              asked={one}
              {...field}
              value={typeof field.value === 'string' ? field.value : ''}
              onChange={(value) => {
                field.onChange(value)
                if (one.refresh && one.input !== 'text') void refresh({ ...form.values, fields: withField(form.values.fields, one.key, value) })
              }}
              onBlur={() => {
                field.onBlur()
                if (one.refresh && one.input === 'text' && field.value) void refresh(form.values)
              }}
            />
          )
        })}
        <DetailsEnd form={form} asksPassword={asksPassword} onCancel={onCancel} />
      </FormPanel>
    </Form>
  )
}

function LocalField({ asked, onChange, ...field }: FieldProps<string> & { asked: PayoutField }) {
  const { input, options, required, example } = asked
  const optional = !required
  if (input === 'date') return <DateField {...field} optional={optional} onChange={onChange} />
  if (input === 'text')
    return (
      <TextField
        {...field}
        optional={optional}
        onChange={onChange}
        {...(example && { help: words.example({ example }) })}
        autoComplete="off"
      />
    )
  return (
    <SelectField
      {...field}
      value={field.value || null}
      optional={optional}
      disabled={options.length === 0}
      placeholder={words.choose}
      choices={options}
      onChange={(value) => onChange(value ?? '')}
    />
  )
}

/** Mistakes that need no provider: missing values, and too short or too long ones. */
const mistakesIn = (asked: readonly PayoutField[], fields: LocalFields) =>
  Object.fromEntries(
    asked.map((one) => {
      const { length } = fieldAt(fields, one.key).trim()
      const wrong =
        length === 0
          ? one.required && basicWords.rules.required({ label: one.label })
          : one.minLength !== null && length < one.minLength
            ? words.tooShort({ count: one.minLength })
            : one.maxLength !== null && length > one.maxLength && words.tooLong({ count: one.maxLength })
      return [`fields.${one.key}`, wrong || undefined]
    }),
  )
