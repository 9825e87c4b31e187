/** The codes of an error response, which begin the lines of its description. */
const ERROR_CODE = /(?<=^`)\w+(?=`: )/gm;

function namesIn(description) {
  return description.match(ERROR_CODE)?.join(', ') ?? description;
}

/** An error response is one line until a reader opens it, or receives it. */
const foldedResponse = (Response, { React }) =>
  function FoldedResponse(props) {
    const { code, className, response } = props;
    const [chosen, choose] = React.useState();
    if (!/^[45]/.test(code)) return React.createElement(Response, props);
    const isOpen = chosen ?? className === 'response_current';
    const row = React.createElement(
      'tr',
      { className: 'fold' },
      React.createElement('td', { className: 'response-col_status' }, code),
      React.createElement(
        'td',
        { className: 'response-col_description' },
        React.createElement(
          'button',
          { type: 'button', 'aria-expanded': isOpen, onClick: () => choose(!isOpen) },
          namesIn(response.get('description') ?? ''),
        ),
      ),
    );
    return React.createElement(React.Fragment, null, row, isOpen && React.createElement(Response, props));
  };

/** A table of a dozen header fields, of which most are the same for every response. */
const foldedHeaders = (Headers, { React }) =>
  function FoldedHeaders(props) {
    if (!(props.headers?.size > 0)) return null;
    return React.createElement(
      'details',
      { className: 'fold' },
      React.createElement('summary', null, `Header fields (${props.headers.size})`),
      React.createElement(Headers, props),
    );
  };

/** Shows parameters, body and success of an operation first; errors and header fields are opened by who needs them. */
export const foldedResponses = () => ({
  wrapComponents: { response: foldedResponse, headers: foldedHeaders },
});
