import { useState } from 'react'
import {
  type EmbedElement,
  embedElements,
  type MatchedElements,
  type SelectorType,
  selectorTypes,
  wrongSelector,
} from '#contract/embed.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { DoneIcon, WarningIcon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import styles from './ElementRows.module.css'

type FormOf = FormWith<{ config: Record<EmbedElement, { selectorType: SelectorType; selectorValue: string }> }>
type Props = { form: FormOf; matched: MatchedElements | null }

/** One row per element of a lead form: its selector, and whether the check found it. */
export function ElementRows({ form, matched }: Props) {
  return (
    <Panel
      heading={t('embedCode.elementsHeading')}
      aside={<small className={styles.note}>{t('embedCode.elementsHelp')}</small>}
    >
      <div aria-hidden="true" className={styles.heads}>
        <span>{t('embedCode.element')}</span>
        <span>{t('embedCode.selectorType')}</span>
        <span>{t('embedCode.selectorValue')}</span>
        <span>{t('embedCode.onYourSite')}</span>
      </div>
      {embedElements.map((element) => (
        <ElementRow key={element} form={form} element={element} found={matched?.[element]} />
      ))}
    </Panel>
  )
}

type RowProps = { form: FormOf; element: EmbedElement; found: boolean | undefined }

/** Validates on every keystroke once the field was left with a value; choosing 'Default' empties the value. */
function ElementRow({ form, element, found }: RowProps) {
  const [judged, setJudged] = useState(false)
  const name = t(`embedCode.elements.${element}`)
  const { field } = form
  const type = field(`config.${element}.selectorType`, t('embedCode.typeOf', { element: name }))
  const value = field(`config.${element}.selectorValue`, t('embedCode.valueOf', { element: name }))
  const isDefault = type.value === 'default'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of a grid in every browser
    <div role="group" aria-label={name} className={styles.row}>
      <b aria-hidden="true">{name}</b>
      <SelectField
        {...type}
        onChange={(chosen) => {
          if (!chosen) return
          type.onChange(chosen)
          if (chosen === 'default') value.onChange('')
          setJudged(judged || value.value !== '')
        }}
        choices={selectorTypes.map((key) => ({ value: key, label: t(`embedCode.types.${key}`) }))}
      />
      <div className={isDefault ? styles.byDefault : styles.value}>
        <TextField
          {...value}
          autoComplete="off"
          placeholder={isDefault ? t(`embedCode.byDefault.${element}`) : t(`embedCode.such.${type.value}`)}
          error={(judged && wrongSelector(type.value, value.value.trim())) || value.error}
          onBlur={() => {
            setJudged(judged || value.value !== '')
            value.onBlur()
          }}
        />
      </div>
      <Found found={found} />
    </div>
  )
}

function Found({ found }: { found: boolean | undefined }) {
  if (found === undefined) return <span className={styles.unknown}>{t('embedCode.notChecked')}</span>
  return found ? (
    <span className={styles.found}>
      <DoneIcon size={16} /> {t('embedCode.found')}
    </span>
  ) : (
    <span className={styles.missing}>
      <WarningIcon size={16} /> {t('embedCode.notFound')}
    </span>
  )
}
