import { json, type OperationsRoute, problem } from './operations-route.ts';

export interface PushedParts {
  /** The lines of an observation of a session, or null where it is not kept. */
  reopen(place: { readonly session: string; readonly observation: string }): Promise<readonly string[] | null>;
  /** Applied to each line. */
  redact(text: string): string;
}

/** Opens what a reference to a pushed line says: `pushed/SESSION/OBSERVATION:LINE` is `/v1/pushed/SESSION/OBSERVATION?line=LINE`. */
export function pushedRoute({ reopen, redact }: PushedParts): OperationsRoute {
  return {
    path: '/v1/pushed/{session}/{observation}',
    async answer({ path, query }) {
      const asked = query.get('line');
      if (asked !== null && !/^[1-9][0-9]{0,8}$/.test(asked)) {
        return problem(400, '"line" must be the number of a line, from 1');
      }
      const { session = '', observation = '' } = path;
      const lines = await reopen({ session, observation });
      if (lines === null) {
        return problem(
          404,
          'That observation is not kept: only those that evidence cites are, with their session',
        );
      }
      const numbered = lines.map((text, at) => ({ line: at + 1, text }));
      const shown = asked === null ? numbered : numbered.slice(Number(asked) - 1, Number(asked));
      if (shown.length === 0) return problem(404, `The observation has ${lines.length} lines`);
      return json(
        200,
        JSON.stringify({ lines: shown.map(({ line, text }) => ({ line, text: redact(text) })) }),
      );
    },
  };
}
