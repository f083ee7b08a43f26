import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { useCall } from '#web/calls.ts'
import { TextTabs, type TypedTexts, textFields, withoutEmptyTexts } from '#web/shared/TextTabs.tsx'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { defineAction } from '#web/ui/act.tsx'
import { exposeAction } from '#web/ui/actions.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { type FieldProps, Form, FormActions, FormPanel, useContractForm } from '#web/ui/contract-form.tsx'
import { TextAreaField, TextField } from '#web/ui/fields.tsx'
import { explainRefusal } from '#web/ui/form.tsx'
import { Message } from '#web/ui/Message.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { useDebounced } from '#web/ui/Picker.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { formWords } from '#web/words/forms.ts'
import { toastWords } from '#web/words/shell.ts'
import {
  type EmailTemplate,
  type EmailText,
  findTextMistake,
  isBlock,
  resetEmailTemplate,
  SavedEmailText,
  saveEmailTemplate,
  TriedEmailText,
  testEmailTemplate,
} from '../contract.ts'
import { emailWords as words } from '../text.ts'
import { EmailPreview } from './EmailPreview.tsx'
import styles from './Emails.module.css'
import { previewQuery, templatesQuery } from './queries.ts'

type Kind = EmailTemplate['kind']

const EMPTY: EmailText = { subject: '', body: '' }

const textOf = ({ subject, body, translations }: Saved) => ({
  subject,
  body,
  translations: translations as TypedTexts<keyof EmailText>,
})
type Saved = Pick<EmailTemplate, 'subject' | 'body' | 'translations'>

function mistakesIn(kind: Kind, text: EmailText, path = '') {
  const mistake = findTextMistake(kind, text)
  if (!mistake) return {}
  const { reason } = mistake
  const field = path + mistake.field
  return { [field]: reason === 'button_missing' ? words.mistakes.button_missing : words.mistakes[reason](mistake) }
}

/** The text of one email beside what its reader will see. */
export function EmailEditor({ account, template }: { account: Account; template: EmailTemplate }) {
  const { kind, title, description, customized, variables } = template
  const client = useQueryClient()
  const params = { id: account.id, kind }
  const [language, choose] = useState(account.language)
  const form = useContractForm(SavedEmailText, {
    initial: textOf(template),
    exact: true,
    complete: withoutEmptyTexts,
    check: ({ translations, ...text }) =>
      Object.assign(
        mistakesIn(kind, text),
        ...Object.entries(translations).map(([language, translated]) =>
          translated ? mistakesIn(kind, { ...EMPTY, ...translated }, `translations.${language}.`) : {},
        ),
      ) as Messages,
  })
  const { values } = form
  const isBase = language === account.language
  const { subject = '', body = '' } = (isBase ? values : values.translations[language]) ?? {}
  const shown: TriedEmailText = { subject, body, language }
  const show = (changed: EmailTemplate) =>
    client.setQueryData(
      templatesQuery(account.id).queryKey,
      (before) => before && { items: before.items.map((one) => (one.kind === kind ? changed : one)) },
    )
  const save = useCall(saveEmailTemplate, {
    onSuccess(saved) {
      show(saved)
      form.saved(textOf(saved))
      showToast(toastWords.saved({ resource: words.resource }))
    },
  })
  const test = useCall(testEmailTemplate, { onSuccess: ({ email }) => showToast(words.tested({ email })) })
  const text = textFields(form, account.language, language)
  const { insert, left } = useInsert({
    subject: text('subject', words.subject, ''),
    body: text('body', words.body, ''),
  })
  return (
    <div className={styles.editor}>
      <div className={styles.columns}>
        <Form
          form={form}
          save={save}
          label={words.form({ email: title })}
          wide
          onSubmit={(body) => save.mutate({ params, body })}
        >
          <FormPanel
            heading={title}
            help={description}
            aside={customized ? <Badge tone="done">{words.customized}</Badge> : undefined}
          >
            {!customized && <Message kind="info">{words.usualText}</Message>}
            <TextTabs account={account} form={form} current={language} onChoose={choose}>
              {(text) => (
                <>
                  <TextField {...left('subject', text('subject', words.subject, ''))} autoComplete="off" />
                  <TextAreaField {...left('body', text('body', words.body, ''))} help={words.bodyHelp} rows={12} />
                </>
              )}
            </TextTabs>
            <div>
              <ActionMenu
                label={words.insert}
                of={template}
                actions={variables.map((name) => ({
                  label: words.choice({ meaning: words.variables[name as keyof typeof words.variables], name }),
                  run: () => insert(name),
                }))}
              >
                {words.insert}
              </ActionMenu>
            </div>
          </FormPanel>
          {test.error && <Message kind="error">{explainRefusal(test.error)}</Message>}
          <div className={styles.acts}>
            <FormActions
              submit={formWords.saveChanges}
              aside={
                <>
                  <Button
                    busy={test.busy}
                    onClick={() => {
                      const checked = form.check()
                      if (checked) test.mutate({ params, body: shown })
                    }}
                  >
                    {words.test}
                  </Button>
                  {customized && (
                    <ActButton
                      act={ResetEmail}
                      of={{
                        params,
                        title,
                        onDone(usual) {
                          show(usual)
                          form.restart(textOf(usual))
                        },
                      }}
                    />
                  )}
                </>
              }
            />
          </div>
        </Form>
        <Preview accountId={account.id} kind={kind} text={shown} />
      </div>
    </div>
  )
}

type Reset = { params: { id: string; kind: string }; title: string; onDone: (usual: EmailTemplate) => void }

const ResetEmail = exposeAction(
  defineAction(resetEmailTemplate, ({ params, title, onDone }: Reset) => ({
    heading: words.reset,
    why: words.resetWhy({ email: title }),
    send: { params },
    done(usual) {
      onDone(usual)
      return words.resetDone
    },
  })),
  { label: words.reset },
)

type Messages = Record<string, string | undefined>

type Fields = Record<keyof EmailText, FieldProps<string>>

/** Inserts a variable where the cursor was last, facts and button on a line of their own. */
function useInsert(fields: Fields) {
  const last = useRef<keyof EmailText>('body')
  function insert(name: string) {
    const { id, value, onChange } = isBlock(name) ? fields.body : fields[last.current]
    const control = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement
    const [from, to] = [control.selectionStart ?? value.length, control.selectionEnd ?? value.length]
    const [before, after] = [value.slice(0, from), value.slice(to)]
    const ownLine = (text: string) =>
      `${/(^|\n)$/.test(before) ? '' : '\n'}${text}${after.startsWith('\n') ? '' : '\n'}`
    const inserted = isBlock(name) ? ownLine(`{{${name}}}`) : `{{${name}}}`
    onChange(before + inserted + after)
    // once the menu has returned the focus to its button
    requestAnimationFrame(() => {
      control.focus()
      control.setSelectionRange(from + inserted.length, from + inserted.length)
    })
  }
  const left = <Field extends FieldProps<string>>(name: keyof EmailText, field: Field): Field => ({
    ...field,
    onBlur() {
      last.current = name
      field.onBlur()
    },
  })
  return { insert, left }
}

const AFTER_MS = 300

/** The email with sample data, shortly after each edit; that before it while the text has a mistake. */
function Preview({ accountId, kind, text }: { accountId: string; kind: Kind; text: TriedEmailText }) {
  const settled: TriedEmailText = JSON.parse(useDebounced(JSON.stringify(text), AFTER_MS))
  const checked = TriedEmailText.safeParse(settled)
  const isValid = checked.success && !findTextMistake(kind, checked.data)
  const answer = useQuery({
    ...previewQuery(accountId, kind, checked.data ?? settled),
    enabled: isValid,
    placeholderData: keepPreviousData,
  })
  return <EmailPreview answer={answer} isCurrent={isValid && !answer.isPlaceholderData} accountId={accountId} />
}
