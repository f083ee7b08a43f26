import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import {
  MOST_QUESTIONS,
  ProgramChange,
  type Program as ProgramOf,
  questionKinds,
  reapplyDays,
  saveProgram,
} from '#contract/applications.ts'
import { areEmpty } from '#contract/pick-text.ts'
import { useCall } from '../../calls.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { programQuery } from '../../shared/queries.ts'
import { type Marking, TextTabs } from '../../shared/TextTabs.tsx'
import { Form, FormActions, FormPanel, type FormWith, useContractForm } from '../../ui/contract-form.tsx'
import { CheckboxField, RadioField, SelectField, SwitchField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { RowsField } from '../../ui/RowsField.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { programWords as words } from '../../words/applications.ts'
import { formWords } from '../../words/forms.ts'
import { Agreement } from './Agreement.tsx'

type Props = { account: Account; program: ProgramOf }

/** The application form, whether it is approved at once, and the partner agreement. */
export function Applications({ account }: { account: Account }) {
  const answer = useQuery(programQuery(account.id))
  if (!answer.data)
    return (
      <Panel>
        <Pending answer={answer} rows={8} />
      </Panel>
    )
  return (
    <>
      <ApplicationForm account={account} program={answer.data} />
      <Agreement account={account} programUrl={answer.data.url} />
    </>
  )
}

type Questions = ProgramOf['questions']

const formValues = ({ questions, autoApprove, reapplyAfterDays }: ProgramOf) => ({
  questions,
  autoApprove,
  reapplyAfterDays,
})

/** Drops the empty lines of choices, and translations without words. */
const tidied = ({ choices, translations, ...question }: Questions[number]): Questions[number] => ({
  ...question,
  choices: linesOf(choices),
  translations: Object.fromEntries(
    Object.entries(translations).flatMap(([language, asked]) => {
      const { label = '', choices = [] } = asked ?? {}
      const tidy = { label, choices: linesOf(choices) }
      return areEmpty(tidy) ? [] : [[language, tidy]]
    }),
  ),
})

const linesOf = (choices: string[]) => choices.map((choice) => choice.trim()).filter(Boolean)

function ApplicationForm({ account, program }: Props) {
  const may = usePermission()
  const initial = formValues(program)
  const form = useContractForm(ProgramChange, {
    initial,
    exact: true,
    complete: (values) => ({ ...values, questions: values.questions.map(tidied) }),
  })
  const save = useCall(saveProgram, {
    onSuccess(saved) {
      form.saved(formValues(saved))
      showToast(words.applicationsSaved)
    },
  })
  const { field, values } = form
  const days = field('reapplyAfterDays', words.reapply)
  return (
    <TwoColumns form aside={null}>
      <Form
        form={form}
        save={save}
        label={words.applications}
        onSubmit={(_, changes) => save.mutate({ params: { id: account.id }, body: changes })}
      >
        <OnlyRead needs={saveProgram}>
          <FormPanel heading={words.applications} help={words.questionsHelp}>
            <RowsField
              tall
              field={field('questions', words.question)}
              blank={blank}
              most={may(saveProgram) ? MOST_QUESTIONS : 0}
              folded={(at) => ({
                title: values.questions[at]?.label || words.row({ number: at + 1 }),
                note: summaryOf(values.questions[at] ?? blank),
                isWrong: [`questions.${at}.label`, `questions.${at}.choices`].some(
                  (name) => field(name as 'questions', words.question).error,
                ),
              })}
              words={{
                row: (number) => words.row({ number }),
                add: words.addQuestion,
                edit: (number) => words.editQuestion({ number }),
                remove: (number) => words.removeQuestion({ number }),
              }}
            >
              {(at) => <QuestionFields form={form} at={at} account={account} />}
            </RowsField>
            <SwitchField {...field('autoApprove', words.autoApprove)} help={words.autoApproveHelp} />
            <SelectField
              {...days}
              value={`${days.value}`}
              onChange={(value) => days.onChange(value === 'null' ? null : Number(value))}
              choices={[...reapplyDays, null].map((days) => ({
                value: `${days}`,
                label: days === null ? words.never : days === 0 ? words.atOnce : words.reapplyDays({ days }),
              }))}
              help={words.reapplyHelp}
            />
          </FormPanel>
        </OnlyRead>
        {may(saveProgram) && <FormActions submit={formWords.saveChanges} cancel={() => form.restart(initial)} />}
      </Form>
    </TwoColumns>
  )
}

const blank: Questions[number] = { label: '', kind: 'text', required: false, choices: [], translations: {} }

/** Returns a question's kind of answer, and whether it needs one. */
const summaryOf = ({ kind, required }: Questions[number]) =>
  [words.kinds[kind], required && words.required].filter(Boolean).join(' · ')

type QuestionProps = { form: FormWith<{ questions: Questions }> & Marking; at: number; account: Account }

function QuestionFields({ form, at, account }: QuestionProps) {
  const { field } = form
  const [language, choose] = useState(account.language)
  const all = field('questions', words.question)
  const kind = field(`questions.${at}.kind`, words.answer)
  return (
    <div className="stack">
      <RadioField
        {...kind}
        choices={questionKinds.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={(kind) =>
          all.onChange(
            all.value.map((one, place) => (place === at ? { ...one, kind, choices: [], translations: {} } : one)),
          )
        }
      />
      <TextTabs account={account} form={form} within={`questions.${at}.`} current={language} onChoose={choose}>
        {(text) => {
          const choices = text<string[]>('choices', words.choices, [])
          return (
            <>
              <TextField {...text('label', words.question, '')} />
              {kind.value === 'choice' && (
                <TextAreaField
                  {...choices}
                  value={choices.value.join('\n')}
                  onChange={(typed) => choices.onChange(typed === '' ? [] : typed.split('\n'))}
                  rows={4}
                  help={text.isBase ? words.choicesHelp : words.choicesInOrder}
                />
              )}
            </>
          )
        }}
      </TextTabs>
      <CheckboxField {...field(`questions.${at}.required`, words.required)} />
    </div>
  )
}
