/** Selects the controls that send a form, or would if there were one. */
export const SUBMIT = 'button:not([type=button]):not([type=reset]),[type=submit],[type=image]'

// words at the beginning of a word, in normalized texts, no longer than needed; English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish, Swedish, Danish and Norwegian
export const SIGN_UP =
  'sign ?up|regist|create$|cr[ei][ae].* (account|profile|compte|cuenta|conta(?!c))|join|subs[ck]|suscri|get started|start (my|your|free|a )|free trial|try |konto (anl|erst)|abb?on|jetzt start|kostenlos t|in?sch?r|essaye|comm?en?c|empez|pr(ueba|ova|obeer|øv)|inizia|cadast|assin|teste|account (aan)?mak|begin|za(rej|łoz|pisz)|utworz k|wyprob|skapa k|prenu|kom i ?gang|opp?ret|tilmel|meld .eg pa'
/** The words of buttons that send something, sign-ups among it. */
export const SENDS = `${SIGN_UP}|(ab)?send|submit|order|pay|buy|get |request|bo[oe]?k|claim|downl|apply|notif|enrol|unlock|anf[or]|buchen|herunt|an(meld|mod)|[ei]nv(oy|ia)|valider|demander|reserv|telech|obt|solic|descar|richi|prenot|scaric|ottie|baix|ver(stu|zend)|aan(vra|meld)|wysl|za(mow|rez)|(po|od)bierz|skick|begar|ladda n|hamt|best[ei]l|hent|be om|last ned`

// words of forms that act on what exists already, name another person, or only write to the company
export const LOG_IN =
  '(log(ga?)?|sign) ?in(?!g)|e?inlog|conne(xion|cter)|identifier|iniciar s|acced[ei]|entra(r|$)|acess|zalog|logowa'
export const PASSWORD = 'passw|passor|kennw|mot de p|contras|senha|wachtw|has[łl]|losen|adgangsk|forgot|recover|reset'
export const UNSUBSCRIBE =
  'unsubs|opt ?out|a[bfv]meld|abbest|d[ei]s(abon|in?scr|cadast)|darse de baja|cancelar|uitsch|wypis|av(reg|pren)'
/** In a form's attributes. */
export const ACCOUNT = 'confirmation|unlock|verification|edit|profile|settings'
export const SUPPORT = 'support|help ?desk|tickets?$|feedback|complain|hc .*requests'
/** On a form's button. */
export const ACCOUNT_BUTTON = 'resend|^(update|change|delete)( |$)|save changes'
export const SUPPORT_BUTTON = 'contact support|(submit|open|create) (a )?ticket|send feedback|report (an?|this) '
export const INVITE_BUTTON = '^(send )?(invit|einlad|convid|uitnod|zapros|bjud in)'
/** In both. */
export const COMMENT = '[ck]omm?ent(s?( |$)|[ao])|reactie'
export const SEARCH = 'search|suche|recherche|busca|cerca|pesquis|zoek|szukaj|s[oø][gk]'
/** In the name of the email field. */
export const ANOTHER_PERSON = 'invit|friend|colleague|recipient|freund|kolleg|ami |amig'

/** Words of other forms: anywhere, in attributes, on the button, in both, and in the name of the email field. */
export const OTHERS = [
  `${LOG_IN}|${PASSWORD}|${UNSUBSCRIBE}`,
  `${ACCOUNT}|${SUPPORT}`,
  `${ACCOUNT_BUTTON}|${SUPPORT_BUTTON}|${INVITE_BUTTON}`,
  `${COMMENT}|${SEARCH}`,
  ANOTHER_PERSON,
]

// the places of what can be read in `FIELDS` and in the selectors of an account; a field for the whole name is read if
// there are none for its parts
export const EMAIL = 0
export const PHONE = 1
export const FULL_NAME = 2
export const FIRST_NAME = 3
export const LAST_NAME = 4

// what fields are called, in the order they are tried; English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish
// and Norwegian, and what `autocomplete` calls them
export const FIELDS = [
  /e ?mail|correo|courriel/,
  /phone|(^| )tel( |$)|telef|mo[bv]il|handy|celular/m,
  /full ?name|^((your|ihr|billing|shipping) )?(name|naam|na[mv]n)$|und nachn|(nombre|nome?) comp/m,
  /(first|given|fore|^f) ?name|(vo+|fo)rna[amv]|prenom|(^| )(nombre|nome)( |$)|imie/m,
  /(last|family|sur|^l) ?name|nachname|(^| )nom( |$)|apell?ido|(cog|sobre)nome|nazwisko|terna[amv]/m,
]
