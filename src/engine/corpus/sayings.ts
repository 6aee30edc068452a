/**
 * What a message may say that takes away what its other words seem to tell: rules name these (`unless_says`) rather than
 * write the words out each, so that all that name a node for a failed check agree on what is no finding.
 */
export const sayings = {
  /** The check got nowhere: out of time, ended from outside, or its device in use. */
  undecided: anyOf(
    'tim(?:ed?|ing)[ _-]?outs?(?:[^a-z]|$)',
    '(?:deadline|time limit) (?:exceeded|reached|hit)',
    'took too long',
    'did not (?:finish|complete|end|return)',
    'no (?:response|answer|reply) (?:after|within|in) [0-9]',
    '(?:exit|status|ended)[ :=a-z]*(?:12[4-7]|137|143)\\b',
    '\\b(?:killed|interrupted|aborted|cancell?ed|stopped (?:by|due))\\b|\\bsignal [0-9]',
    '\\bin use\\b|\\bbusy\\b|\\bnot idle\\b|\\b(?:running|other|[0-9]+) process|already running',
    '(?:couldn.t|could not|cannot|unable to) (?:allocate|read|run|start|open|execute)|allocation failed|out of memory',
  ),
  /** The check does not fit this machine, looks at its set-up, was set aside, or what it found is over. */
  set_aside: anyOf(
    '\\bnot (?:supported|applicable|configured|installed|running|loaded|permitted|in this configuration)\\b',
    '\\bunsupported\\b|(?:command|file|:|ibstat|smi|dcgmi) not found|no such (?:file|device)|insufficient',
    'does not exist|unknown (?:interface|port)|syntax error',
    'permission denied|no permission|unknown option|\\bversions?\\b|persistence mode|\\bleftover\\b',
    '\\b(?:ignor|exclud|skip|suppress|simulat|inject|disabl)[a-z]*(?:ed|ing)\\b|\\bexpected for\\b',
    '\\b(?:cleared|resolved|recovered)\\b',
    '\\b(?:pass|ok|succeed)(?:ed)? (?:on|after) (?:[a-z]+ )?(?:retry|attempt)|(?:retry|attempt)[ 0-9of]*:? (?:pass|ok|succ)',
  ),
  /** None of it was found. */
  denied: anyOf(
    '\\b(?:no|none|zero|without) (?:[a-z-]+ )?(?:[a-z-]+ )?(?:faulty|errors?|violations|replays)\\b',
    '\\bwould (?:be|fail)\\b',
    '\\b(?:no|0) (?:uncontained|uncorrect|double|fatal)',
    '\\b(?:found|detected|had|has|measured|counted) (?:0|no|none|zero)\\b|\\bcount[:=] ?0\\b',
    '[:(=] ?0 (?:of|faulty|errors|violations|elements)\\b',
    '(?:faulty|errors|violations|elements|gpus)[:=] ?(?:0|no|none|false)\\b',
  ),
} as const satisfies Record<string, string>;

export type Saying = keyof typeof sayings;

export const sayingNames = ['undecided', 'set_aside', 'denied'] as const satisfies readonly Saying[];

function anyOf(...patterns: readonly string[]): string {
  return `(?i)${patterns.join('|')}`;
}
