import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { type IncomingSender, type IncomingWebhook, incomingTargets } from '#contract/incoming-webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { HiddenPart } from '../../ui/HiddenPart.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { MappingFields } from './MappingFields.tsx'
import { addedRule, MOST_RULES, type ShownRule } from './mapping.ts'
import type { MappingForm } from './useMappingForm.ts'

type Props = {
  webhook: IncomingWebhook
  sender: IncomingSender | undefined
  /** The sample that is selected. */
  sample: unknown
  form: MappingForm
  current: number
  choose: (rule: number) => void
  /** Fields of the owner's own form are filled in from the sample. */
  suggests: boolean
}

/** The rules of a webhook, a tab for each. */
export function RuleTabs({ webhook, sender, sample, form, current, choose, suggests }: Props) {
  const { rules } = form.values
  const place = useRef<HTMLDivElement>(null)
  function add(rule: ShownRule) {
    form.set({ rules: [...rules, addedRule(rule, rules)] })
    choose(rules.length)
  }
  function remove(at: number) {
    flushSync(() => {
      form.set({ rules: rules.filter((_, other) => other !== at) })
      choose(Math.max(0, at - 1))
    })
    // the button that had the focus is gone
    place.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
  }
  const kinds = [
    ...(sender?.alternatives ?? []).map((rule) => ({ label: rule.name, rule })),
    ...incomingTargets.map((target) => {
      const name = incomingWebhookWords.targets[target]
      const rule = { name, target, each: null, when: [], mapping: [], partnerMatch: null }
      return { label: incomingWebhookWords.blankRule({ target: name }), rule }
    }),
  ]
  const adding = rules.length < MOST_RULES && (
    <Menu
      label={incomingWebhookWords.addRule}
      items={kinds.map(({ label, rule }) => ({ label, run: () => add(rule) }))}
      opener={(props) => (
        <Button small icon={<PlusIcon size={16} />} {...props}>
          {incomingWebhookWords.addRule}
        </Button>
      )}
    />
  )
  if (rules.length === 0)
    return (
      <FormPanel heading={incomingWebhookWords.rules} help={incomingWebhookWords.noRules} aside={adding}>
        {null}
      </FormPanel>
    )
  return (
    <div ref={place}>
      <Tabs
        label={incomingWebhookWords.rules}
        tabs={rules.map(({ name }, at) => ({ key: String(at), label: name || incomingWebhookWords.ruleName }))}
        current={String(current)}
        onChoose={(key) => choose(Number(key))}
        aside={adding}
      >
        {rules.map((_, at) => (
          <Rule
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place; what is typed stands in the form
            key={at}
            webhook={webhook}
            sender={sender}
            sample={sample}
            form={form}
            at={at}
            suggests={suggests}
            shown={at === current}
            onReveal={() => choose(at)}
            onRemove={rules.length > 1 ? () => remove(at) : undefined}
          />
        ))}
      </Tabs>
    </div>
  )
}

type RuleProps = Omit<Props, 'current' | 'choose'> & {
  at: number
  shown: boolean
  /** One of its fields will get the focus. */
  onReveal: () => void
  onRemove: (() => void) | undefined
}

/** A rule's fields and conditions. Those of a rule that isn't chosen are hidden, and open once one of them is marked. */
function Rule({ shown, onReveal, onRemove, ...rule }: RuleProps) {
  const { form, at } = rule
  return (
    <HiddenPart form={form} shown={shown} onReveal={onReveal}>
      <MappingFields {...rule} shown={shown} />
      <ConditionFields form={form} at={at} sample={rule.sample} onRemove={onRemove} />
    </HiddenPart>
  )
}
