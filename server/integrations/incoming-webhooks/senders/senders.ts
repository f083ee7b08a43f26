import { z } from 'zod'
import { IncomingAuth, IncomingRule, type IncomingSender, incomingTargets } from '#contract/incoming-webhooks.ts'
import { toRule } from '../rules.ts'
import { shownAuth, shownRule } from '../shown.ts'
import calCom from './cal-com/recipe.json' with { type: 'json' }
import calendly from './calendly/recipe.json' with { type: 'json' }
import dodoPayments from './dodo-payments/recipe.json' with { type: 'json' }
import elementor from './elementor/recipe.json' with { type: 'json' }
import framer from './framer/recipe.json' with { type: 'json' }
import gravityForms from './gravity-forms/recipe.json' with { type: 'json' }
import gumroad from './gumroad/recipe.json' with { type: 'json' }
import hotmart from './hotmart/recipe.json' with { type: 'json' }
import hubspot from './hubspot/recipe.json' with { type: 'json' }
import jotform from './jotform/recipe.json' with { type: 'json' }
import kajabi from './kajabi/recipe.json' with { type: 'json' }
import mailchimp from './mailchimp/recipe.json' with { type: 'json' }
import pipedrive from './pipedrive/recipe.json' with { type: 'json' }
import standardWebhooks from './standard-webhooks/recipe.json' with { type: 'json' }
import tally from './tally/recipe.json' with { type: 'json' }
import thrivecart from './thrivecart/recipe.json' with { type: 'json' }
import typeform from './typeform/recipe.json' with { type: 'json' }
import webflow from './webflow/recipe.json' with { type: 'json' }
import woocommerce from './woocommerce/recipe.json' with { type: 'json' }

/**
 * The parts of a webhook that choosing a sender copies into it, and that stay editable there: its proof, its rules and
 * its Duplicate Key. `alternatives`: rules for other uses of it; `open`: the fields that depend on the owner's own form.
 */
const Recipe = z.strictObject({
  sender: z.string(),
  name: z.string(),
  targets: z.array(z.enum(incomingTargets)),
  auth: IncomingAuth,
  dedupePath: z.string().nullable(),
  steps: z.array(z.string()),
  open: z.array(z.string()),
  rules: z.array(IncomingRule),
  alternatives: z.array(IncomingRule),
})
type Recipe = z.infer<typeof Recipe>

/** The senders that are known, in the order of their names; any other system is told of by hand. */
const written = [
  calCom,
  calendly,
  dodoPayments,
  elementor,
  framer,
  gravityForms,
  gumroad,
  hotmart,
  hubspot,
  jotform,
  kajabi,
  mailchimp,
  pipedrive,
  tally,
  thrivecart,
  typeform,
  webflow,
  woocommerce,
  standardWebhooks,
]

let read: Recipe[] | undefined
const recipes = () => {
  read ??= z.array(Recipe).parse(written)
  return read
}

export const findRecipe = (sender: string): Recipe | undefined => recipes().find((recipe) => recipe.sender === sender)

/** Returns the known senders, with what the owner needs for choosing and connecting one. */
export const listSenders = (): IncomingSender[] =>
  recipes().map(({ sender, name, targets, auth, steps, open, alternatives }) => ({
    sender,
    name,
    targets,
    steps,
    open,
    alternatives: alternatives.map((rule) => shownRule(toRule(rule))),
    auth: shownAuth(auth),
  }))
