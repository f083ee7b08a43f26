import { toLines, toText } from './guesses.ts'
/** Selects the controls that send a form, or would if there were one. */
export const SUBMIT = 'button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]'

// words at the beginning of a word, in normalized texts, no longer than needed; English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish, Swedish, Danish and Norwegian
export const SIGN_UP =
  'sign ?up|regist|zarejestr|create$|cr[ei][ae]\\S* (\\S+ )*(account|profile|compte|cuenta|conta)|join|subs[ck]|suscri|get started|start (my|your|free|a )|free trial|try |konto (anl|erst)|abb?on|jetzt start|kostenlos t|in?scr|inschr|essaye|commencer|empez|pr(ueba|ova|obeer|øv)|inizia|cadast|assin|comec|teste|account (aan)?maken|begin|załoz|zapisz|utworz k|wyprob|skapa k|prenum|kom i ?gang|opp?ret|tilmeld|meld (deg|meg) pa'
/** The words of buttons that send something, sign-ups among it. */
export const SENDS = `${SIGN_UP}|(ab)?send|submit|get |request|book|claim|download|apply|enroll|notify|unlock|anf(ord|rag)|buchen|herunterl|anmeld|envoy|valider|demander|reserv|telecharg|obt|enviar|solicit|descarg|invia|richied|prenot|scaric|ottien|baixar|verst|verzend|aanvra|bo(ek|ka)|aanmeld|wyslij|zamow|zarez|pobierz|odbierz|skicka|begar|ladda ner|hamta|anmod|bestil|hent|be om|last ned`

export const BUTTON = 1
export const ATTRIBUTES = 2
export const PATH = 4
export const EMAIL_NAME = 8
const EVERYWHERE = BUTTON | ATTRIBUTES | PATH

/** Words of forms that act on what exists already, name another person, or only write to the company. */
export const OTHERS: [where: number, words: string][] = [
  [
    EVERYWHERE,
    '(log(ga?)?|sign) ?in(?!g)|e?inlog|conne(xion|cter)|identifier|iniciar s|acced[ei]|entra(r|$)|acess|zalog|logowa',
  ],
  [EVERYWHERE, 'passw|passord|kennw|mot de passe|contras|senha|wachtw|has[łl]|losenord|adgangsk|forgot|recover|reset'],
  [ATTRIBUTES, 'confirmation|unlock|verification|edit|profile|settings'],
  [BUTTON, 'resend|^(update|change|delete)( |$)|save changes'],
  [
    EVERYWHERE,
    'unsubs|opt ?out|a[bfv]meld|abbest|d[ei]s(abon|in?scr|cadast)|darse de baja|cancelar|uitschr|wypis|av(reg|pren)',
  ],
  [BUTTON, '^(send )?(invit|einlad|convid|uitnod|zapros|bjud in)'],
  [ATTRIBUTES, 'support|help ?desk|tickets?$|feedback|complain|hc( \\w+)* requests'],
  [BUTTON, 'contact support|(submit|open|create) (a )?ticket|send feedback|report (an?|this) '],
  [BUTTON | ATTRIBUTES, '[ck]omm?ent(s?( |$)|[ao])|reactie'],
  [BUTTON | ATTRIBUTES, 'search|suche|recherche|busca|cerca|pesquis|zoek|szukaj|s[oø][gk]'],
  [EMAIL_NAME, 'invit|friend|colleague|recipient|freund|kolleg|ami |amig'],
]

/** Returns what a button says. */
export const labelOf = (button: Element) => toLines(button, ['aria-label', 'value'], [toText(button)])
