/** One thing that was tested; `failures` is empty where all is well. */
export interface TestCase {
  readonly group: string;
  readonly name: string;
  readonly failures: readonly string[];
}

/** Results in JUnit's XML, as CI systems read it. */
export function junitText(suite: string, cases: readonly TestCase[]): string {
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const head = `<testsuite name="${escaped(suite)}" tests="${cases.length}" failures="${failed}" errors="0" skipped="0">`;
  const lines = cases.map(({ group, name, failures }) => {
    const place = `<testcase classname="${escaped(group)}" name="${escaped(name)}"`;
    if (failures.length === 0) return `  ${place}/>`;
    const [first = ''] = failures;
    return `  ${place}>\n    <failure message="${escaped(first)}">${escaped(failures.join('\n'))}</failure>\n  </testcase>`;
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...lines, '</testsuite>', ''].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** XML has no way to say most control characters. */
function escaped(text: string): string {
  return text.replaceAll(
    /[&<>"\n\t]|[^\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
    character => entities[character] ?? '\ufffd',
  );
}
