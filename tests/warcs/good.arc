filedesc://notes.arc 0.0.0.0 20010203040506 text/plain 69
1 0 Danubia
URL IP-address Archive-date Content-type Archive-length


https://www.example.org/1 192.0.2.1 20010203040506 text/html 357
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

<!DOCTYPE html><html><head><title>Note 1</title></head><body><main><h1>Note 1</h1><p>baker opens the and ferry it it ferry and the opens baker opens the and ferry it it ferry and the opens baker opens the and ferry it it ferry and the opens baker opens the and ferry it it.</p></main></body></html>
https://www.example.org/2 192.0.2.1 20010203040506 text/html 374
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

<!DOCTYPE html><html><head><title>Note 2</title></head><body><main><h1>Note 2</h1><p>at nine baker ferry opens the the opens ferry baker nine at nine baker ferry opens the the opens ferry baker nine at nine baker ferry opens the the opens ferry baker nine at nine baker ferry opens the the.</p></main></body></html>
https://www.example.org/3 192.0.2.1 20010203040506 text/html 363
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8

<!DOCTYPE html><html><head><title>Note 3</title></head><body><main><h1>Note 3</h1><p>it the at opens nine leaves leaves nine opens at the it the at opens nine leaves leaves nine opens at the it the at opens nine leaves leaves nine opens at the it the at opens nine leaves leaves.</p></main></body></html>
