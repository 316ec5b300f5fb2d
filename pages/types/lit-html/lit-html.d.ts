/** As much of lit-html as the pages use; its jar has no types. */
export type TemplateResult = {readonly _$litType$: 1 | 2};
export declare const html: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export declare const svg: (strings: TemplateStringsArray, ...values: unknown[]) => TemplateResult;
export declare const nothing: unique symbol;
export declare function render(value: unknown, container: HTMLElement | DocumentFragment): unknown;
