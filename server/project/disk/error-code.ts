/** The operating system's word for what went wrong; '' for errors that are not its. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';
