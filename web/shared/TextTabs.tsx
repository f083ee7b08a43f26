import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { nativeName } from '#contract/language.ts'
import { areEmpty } from '#contract/pick-text.ts'
import { valueAt } from '../ui/form-values.ts'
import { HiddenPart } from '../ui/HiddenPart.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import type { FieldProps } from '../ui/use-form.ts'
import { accountLanguageWords as words } from '../words/account-languages.ts'

/** The marked fields of a form. */
export type Marking = { attempt: number; marked: readonly { id: string }[] }

type FormOfTexts = Marking & {
  values: object
  field: (path: never, label: never) => unknown
}

/** A field of a text in the language of its tab; `empty` is its value while there is none. */
type TextField = {
  <Value = string>(key: string, label: string, empty: Value): FieldProps<Value> & { lang: string }
  /** Whether these are the texts themselves. */
  isBase: boolean
}

/** Texts typed in further languages, by the names of their fields. */
export type TypedTexts<Field extends string> = Record<string, Partial<Record<Field, string>> | null | undefined>

/** A language without words has no translation. */
export const withoutEmptyTexts = <Values extends { translations: TypedTexts<string> }>(values: Values): Values => ({
  ...values,
  translations: Object.fromEntries(
    Object.entries(values.translations).map(([language, text]) => [language, areEmpty(text ?? {}) ? null : text]),
  ),
})

type Props = {
  account: Pick<Account, 'language' | 'pageLanguages'>
  form: FormOfTexts
  /** The path of what has the texts and their translations, with a dot at its end. */
  within?: string
  current: string
  onChoose: (language: string) => void
  children: (text: TextField) => ReactNode
}

/** The fields of texts in one language. */
export function textFields(form: FormOfTexts, base: string, language: string, within = ''): TextField {
  const isBase = language === base
  const path = isBase ? within : `${within}translations.${language}.`
  const field = (key: string, label: string, empty: unknown) => {
    const given = form.field(`${path}${key}` as never, label as never) as FieldProps<unknown>
    return { ...given, value: given.value ?? empty, lang: language }
  }
  return Object.assign(field, { isBase }) as TextField
}

/** Texts of an owner in the languages of their program page, each on its tab; without tabs if there is but one. */
export function TextTabs({ account, form, within = '', current, onChoose, children }: Props) {
  const { language: base, pageLanguages } = account
  const languages = [base, ...pageLanguages.filter((language) => language !== base)]
  const panels = languages.map((language) => {
    return { language, content: children(textFields(form, base, language, within)) }
  })
  if (languages.length === 1) return panels[0]!.content
  const translations = valueAt(form.values, `${within}translations`) as Record<string, object | null> | undefined
  return (
    <Tabs
      label={words.texts}
      tabs={languages.map((language) => {
        const isThere = language === base || !areEmpty(translations?.[language] ?? {})
        return {
          key: language,
          label: nativeName(language),
          lang: language,
          ...(!isThere && { note: words.notTranslated }),
        }
      })}
      current={current}
      onChoose={onChoose}
    >
      {panels.map(({ language, content }) => (
        <HiddenPart key={language} form={form} shown={language === current} onReveal={() => onChoose(language)}>
          {content}
        </HiddenPart>
      ))}
    </Tabs>
  )
}
