import { useId } from 'react'
import { conditionOps } from '#contract/incoming-webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import styles from './MappingFields.module.css'
import { hasValues, MOST_CONDITIONS, NO_CONDITION } from './mapping.ts'
import { PathList } from './PathList.tsx'
import type { MappingForm } from './useMappingForm.ts'

type Props = { form: MappingForm; at: number; sample: unknown; onRemove: (() => void) | undefined }

/** When a rule applies: its conditions, and behind them its list and its name. */
export function ConditionFields({ form, at, sample, onRemove }: Props) {
  const { field, values } = form
  const paths = useId()
  const rule = values.rules[at]
  if (!rule) return null
  const path = { list: paths, spellCheck: false, autoComplete: 'off' }
  return (
    <FormPanel heading={incomingWebhookWords.conditions} help={incomingWebhookWords.conditionsHelp}>
      <PathList id={paths} sample={sample} each={rule.each} />
      <RowsField
        tall
        field={field(`rules.${at}.when`, incomingWebhookWords.conditions)}
        blank={NO_CONDITION}
        most={MOST_CONDITIONS}
        words={{
          row: (number) => incomingWebhookWords.conditionAt({ number }),
          add: incomingWebhookWords.addCondition,
          remove: (number) => incomingWebhookWords.removeCondition({ number }),
        }}
      >
        {(place) => {
          const op = field(`rules.${at}.when.${place}.op`, incomingWebhookWords.conditionOp)
          return (
            <div className={`grid gap-3 ${styles.field}`}>
              <TextField {...field(`rules.${at}.when.${place}.path`, incomingWebhookWords.conditionPath)} {...path} />
              <SelectField
                {...op}
                onChange={(next) => next && op.onChange(next)}
                choices={conditionOps.map((value) => ({ value, label: incomingWebhookWords.conditionOps[value] }))}
              />
              {hasValues(op.value) && (
                <div className={styles.below}>
                  <TagsField
                    {...field(`rules.${at}.when.${place}.values`, incomingWebhookWords.conditionValues)}
                    spaced
                    placeholder={incomingWebhookWords.addValue}
                  />
                </div>
              )}
            </div>
          )
        }}
      </RowsField>
      <MoreOptions form={form} open={rule.each !== ''}>
        <TextField {...field(`rules.${at}.name`, incomingWebhookWords.ruleName)} />
        <TextField
          {...field(`rules.${at}.each`, incomingWebhookWords.each)}
          optional
          spellCheck={false}
          help={incomingWebhookWords.eachHelp}
        />
        {onRemove && (
          <div>
            <Button small onClick={onRemove}>
              {incomingWebhookWords.removeRule}
            </Button>
          </div>
        )}
      </MoreOptions>
    </FormPanel>
  )
}
